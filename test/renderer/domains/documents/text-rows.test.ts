import { expect, test } from 'vitest'
import type { Block } from '../../../../src/shared/model/document.ts'
import { createLruCache } from '../../../../src/renderer/src/domains/documents/blocks/lru-cache.ts'
import { isImageAlone } from '../../../../src/renderer/src/domains/documents/blocks/draw-blocks.ts'
import {
  guessRem,
  textRows,
  type PageLayout,
} from '../../../../src/renderer/src/domains/documents/blocks/text-rows.ts'

const block = (id: string, page: number, content = 'Some words.'): Block => ({
  id,
  page,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
})
const currentPage = (page: number, blocks: number) => ({
  page,
  blocks,
  state: 'returned' as const,
  raster: null,
  error: null,
  versionId: 'v',
})

test('shows each page with its header, then its blocks, or a spacer for missing ones', () => {
  const known = new Map<number, PageLayout>()
  const sources = {
    pages: 3,
    page: (number: number) => (number === 3 ? null : currentPage(number, number === 1 ? 2 : 40)),
    blocks: (number: number) =>
      number === 1 ? [block('a', 1), block('b', 1)] : number === 3 ? [] : null,
    widthRem: 36,
    known,
  }
  const rows = textRows(sources)
  expect(rows.map(({ key }) => key)).toEqual([
    'page 1',
    'a',
    'b',
    'page 2',
    'waiting 2',
    'page 3',
    'empty 3',
  ])
  const gone = textRows({ ...sources, blocks: () => null })
  // A page that was laid out before keeps its height.
  expect(gone[1]?.rem).toBe((rows[1]?.rem ?? 0) + (rows[2]?.rem ?? 0))
  expect(gone[3]?.rem).toBeGreaterThan(100)
})

test('lays out a page again only for another width or other blocks', () => {
  const known = new Map<number, PageLayout>()
  let held: readonly Block[] | null = [block('a', 1)]
  const rowsAt = (widthRem: number) =>
    textRows({ pages: 1, page: () => currentPage(1, 1), blocks: () => held, widthRem, known })
  const [, first] = rowsAt(36)
  expect(rowsAt(36)[1]).toBe(first)
  expect(rowsAt(20)[1]).not.toBe(first)
  held = [block('a', 1, 'Other words. '.repeat(80))]
  expect(rowsAt(20)[1]?.rem).toBeGreaterThan(first?.rem ?? 0)
  held = null
  rowsAt(20)
  expect(known.get(1)).toMatchObject({ blocks: null, rows: [] })
})

test('grows estimates with the text, sooner in a narrow pane and for Chinese', () => {
  const long = 'word '.repeat(100)
  expect(guessRem({ kind: 'text', content: long, edited: null }, 20)).toBeGreaterThan(
    guessRem({ kind: 'text', content: long, edited: null }, 60),
  )
  const chinese = '文'.repeat(500)
  expect(guessRem({ kind: 'text', content: chinese, edited: null }, 40)).toBeGreaterThan(
    guessRem({ kind: 'text', content: long, edited: null }, 40),
  )
  const table = (rows: number) => `<table>${'<tr><td>1</td></tr>'.repeat(rows)}</table>`
  expect(guessRem({ kind: 'table', content: table(20), edited: null }, 40)).toBeGreaterThan(
    guessRem({ kind: 'table', content: table(3), edited: null }, 40) * 3,
  )
  expect(guessRem({ kind: 'text', content: 'x'.repeat(1_000_000), edited: null }, 40)).toBeLessThan(
    500,
  )
})

test('drops the least recently used entry first', () => {
  const cache = createLruCache<string>(2)
  let made = 0
  const make = (key: string) => cache.of(key, () => `${key}${(made += 1)}`)
  make('a')
  make('b')
  expect(make('a')).toBe('a1')
  make('c')
  expect(make('a')).toBe('a1')
  expect(make('b')).toBe('b4')
  expect(cache.size).toBe(2)
})

test('shows no text next to a figure that is only an image', () => {
  const figure = (content: string) => isImageAlone({ kind: 'figure', content, edited: null })
  expect(figure('![](page=0,bbox=[1, 2, 3, 4])')).toBe(true)
  expect(figure('https://host/crop.png')).toBe(true)
  expect(figure('')).toBe(true)
  expect(figure('| a | b |')).toBe(false)
  expect(isImageAlone({ kind: 'text', content: '', edited: null })).toBe(false)
})
