import { expect, test } from 'vitest'
import { createPageCache } from '../../../../src/renderer/src/domains/documents/page-cache.ts'
import type { CurrentPage } from '../../../../src/shared/contract/documents.ts'
import type { Block } from '../../../../src/shared/model/document.ts'

const page = (number: number, own: Partial<CurrentPage> = {}): CurrentPage => ({
  page: number,
  state: 'returned',
  blocks: 1,
  raster: null,
  error: null,
  versionId: 'v1',
  ...own,
})
const block = (number: number, id = `b${number}`): Block => ({
  id,
  page: number,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content: id,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
})

test('keeps the text of a reparsed page until the other version is read', () => {
  const cache = createPageCache(10)
  cache.put([page(1), page(2)], [block(1), block(2)])
  for (const state of ['waiting', 'sent', 'failed'] as const)
    cache.change([page(2, { state, blocks: 0, versionId: 'v2' })])
  expect(cache.page(2)).toMatchObject({ state: 'returned', versionId: 'v1' })
  expect(cache.missing(1, 2, 20)).toBeNull()
  cache.change([page(2, { versionId: 'v2', blocks: 3 })])
  expect(cache.blocks(2)).toEqual([block(2)])
  expect(cache.missing(1, 2, 20)).toEqual([2, 2])
  cache.put([page(2, { versionId: 'v2' })], [block(2, 'new')])
  expect(cache.blocks(2)).toEqual([block(2, 'new')])
  expect(cache.missing(1, 2, 20)).toBeNull()
})

test('shows the progress of a page that was never received, and requests its blocks then', () => {
  const cache = createPageCache(10)
  cache.put([page(1, { state: 'waiting', blocks: 0 })], [])
  expect(cache.missing(1, 1, 20)).toBeNull()
  cache.change([page(1, { state: 'sent', blocks: 0 })])
  expect(cache.page(1)?.state).toBe('sent')
  cache.change([page(1)])
  expect(cache.missing(1, 1, 20)).toEqual([1, 1])
})

test('shows refreshed pages until they are read again', () => {
  const cache = createPageCache(10)
  cache.put([page(1), page(2)], [block(1), block(2)])
  cache.refresh()
  expect(cache.blocks(1)).toEqual([block(1)])
  expect(cache.missing(1, 2, 20)).toEqual([1, 2])
  cache.put([page(1), page(2)], [block(1, 'c'), block(2)])
  expect(cache.blocks(1)).toEqual([block(1, 'c')])
  cache.clear()
  expect(cache.blocks(1)).toBeNull()
})

test('caches the blocks of a limited number of pages, and drops the least recently viewed', () => {
  const cache = createPageCache(2)
  cache.put([page(1), page(2)], [block(1), block(2)])
  cache.missing(1, 1, 20)
  cache.put([page(3)], [block(3)])
  expect([1, 2, 3].map((one) => cache.blocks(one) !== null)).toEqual([true, false, true])
})
