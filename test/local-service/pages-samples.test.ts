import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageEngine } from '../../src/local-service/engines/pages.ts'
import { outline, readAll, startPages, problemOf } from './fixtures/pages.ts'

let engine: PageEngine

beforeAll(() => {
  engine = startPages()
})
afterAll(() => engine.stop())

const folder = resolve('../shared/samples')

/** Returns the bytes of a sample; undefined, with a message, when the samples are absent. */
async function sample(name: string): Promise<Uint8Array | undefined> {
  const path = resolve(folder, name)
  if (existsSync(path)) return readFile(path)
  console.log(`The sample ${name} is absent: it is not checked.`)
  return undefined
}

test('reads a paper in two columns in order', async () => {
  const bytes = await sample('multicolumn.pdf')
  if (!bytes) return
  const pages = await readAll(engine, bytes)
  const [first, second, third] = pages.map((page) => outline(page).map((line) => line.slice(0, 44)))
  expect(first?.slice(0, 4)).toEqual([
    'doc_title: # Two-Column Document with Lorem ',
    expect.stringMatching(/^text: Your Name/),
    'paragraph_title: ## Abstract',
    expect.stringMatching(/^text: This is a sample document/),
  ])
  const starts = ['lacus vel', 'Suspendisse vel', 'Sed commodo', 'Pellentesque', 'Morbi', 'luctus']
  expect(second?.slice(0, 6)).toEqual(
    starts.map((start) => expect.stringMatching(`^text: ${start}`)),
  )
  expect(third?.[1]).toBe('table: <table><thead><tr><th>Country</th><th')
  expect(pages.map((page) => page.blocks.at(-1)?.nativeLabel)).toEqual([
    'number',
    'number',
    'number',
  ])
}, 120_000)

test('recognizes headings, headers and figures of a book', async () => {
  const bytes = await sample('GeoTopo-komprimiert.pdf')
  if (!bytes) return
  const [first] = await readAll(engine, bytes, 'pdf', { from: 6, to: 6 })
  expect(outline(first).slice(0, 3)).toEqual([
    'paragraph_title: ## 1 Topologische Grundbegriffe',
    'paragraph_title: ### 1.1 Topologische Räume',
    'paragraph_title: ### Definition 1',
  ])
  const [other] = await readAll(engine, bytes, 'pdf', { from: 20, to: 20 })
  expect(outline(other).slice(0, 2)).toEqual(['number: 17', 'header: 1.5. KOMPAKTHEIT'])
  expect(other?.blocks.filter(({ label }) => label === 'image')).toHaveLength(2)
}, 120_000)

test('reports that a file is protected', async () => {
  const bytes = await sample('libreoffice-writer-password.pdf')
  if (!bytes) return
  expect(await problemOf(readAll(engine, bytes))).toBe('encrypted')
})

test('reads a photo without words as one image', async () => {
  const bytes = await sample('image.jpg')
  if (!bytes) return
  const [page] = await readAll(engine, bytes, 'jpeg')
  expect(page).toMatchObject({ source: 'nothing', width: 300, height: 200 })
  expect(outline(page)).toEqual(['image: '])
}, 120_000)
