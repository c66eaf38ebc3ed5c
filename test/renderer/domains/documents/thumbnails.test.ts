import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { debounce } from '../../../../src/renderer/src/domains/documents/pages/debounce.ts'
import { createThumbnails } from '../../../../src/renderer/src/domains/documents/pages/thumbnails.ts'

const image = new Blob(['x'.repeat(10_000)], { type: 'image/jpeg' })

/** Library with stored images of the pages for which `isStored` is true; records its requests. */
function library(count: number, isStored: (page: number) => boolean) {
  const requestedRanges: [number, number][] = []
  const made: number[] = []
  const loaded: string[] = []
  let atOnce = 0
  let maxConcurrent = 0
  const thumbnails = createThumbnails({
    count,
    stored: (first, last) => {
      requestedRanges.push([first, last])
      const pages = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      return Promise.resolve(new Map(pages.filter(isStored).map((page) => [page, `kept ${page}`])))
    },
    made: (page) => {
      made.push(page)
      return Promise.resolve(page % 2 === 0 ? `made ${page}` : null)
    },
    load: async (address) => {
      atOnce += 1
      maxConcurrent = Math.max(maxConcurrent, atOnce)
      await sleep(1)
      atOnce -= 1
      loaded.push(address)
      return image
    },
    sketch: () => Promise.resolve(null),
  })
  return { thumbnails, requestedRanges, made, loaded, maxConcurrent: () => maxConcurrent }
}

test('loads thumbnails nearest first, a few at a time, with their URLs by the hundred', async () => {
  const { thumbnails, requestedRanges, loaded, maxConcurrent } = library(230, () => true)
  thumbnails.near(150)
  await expect.poll(() => thumbnails.small(146)).not.toBeNull()
  expect(loaded).toHaveLength(9)
  expect(loaded.slice(0, 3).toSorted()).toEqual(['kept 149', 'kept 150', 'kept 151'])
  expect(requestedRanges).toEqual([[101, 200]])
  thumbnails.far()
  await expect.poll(() => loaded.length).toBe(230)
  expect(new Set(loaded).size).toBe(230)
  expect(requestedRanges.toSorted(([a], [b]) => a - b)).toEqual([
    [1, 100],
    [101, 200],
    [201, 230],
  ])
  expect(maxConcurrent()).toBeGreaterThan(1)
  thumbnails.close()
})

test('requests missing thumbnails individually, and reports those no one has', async () => {
  const { thumbnails, made } = library(4, (page) => page > 2)
  thumbnails.show([1, 2, 3, 4])
  await expect.poll(() => [2, 3, 4].every((page) => thumbnails.small(page) !== null)).toBe(true)
  expect(new Set(made)).toEqual(new Set([1, 2]))
  await expect.poll(() => thumbnails.missing()).toEqual([1])
  thumbnails.giveUp(1)
  expect(thumbnails.missing()).toEqual([])
  thumbnails.close()
})

test('shows a large image in place of a thumbnail until one is rendered', async () => {
  const { thumbnails } = library(3, () => true)
  thumbnails.near(1)
  await expect.poll(() => thumbnails.small(1)).not.toBeNull()
  thumbnails.putLarge(1, 'large')
  expect(thumbnails.large(1)).toBe('large')
  thumbnails.far()
  expect(thumbnails.large(1)).toBeNull()
  thumbnails.putLarge(1, 'too late')
  expect(thumbnails.large(1)).toBeNull()
  thumbnails.close()
})

afterEach(() => void vi.useRealTimers())

test('sends a request at once after an idle time, otherwise after a pause', () => {
  vi.useFakeTimers()
  const calls: number[] = []
  const debounced = debounce(100, (value: number) => void calls.push(value))
  for (const value of [1, 2, 3]) {
    debounced(value)
    vi.advanceTimersByTime(60)
  }
  expect(calls).toEqual([1])
  vi.advanceTimersByTime(40)
  expect(calls).toEqual([1, 3])
  debounced(4)
  expect(calls).toEqual([1, 3, 4])
  debounced(5)
  debounced.stop()
  vi.advanceTimersByTime(500)
  expect(calls).toEqual([1, 3, 4])
})
