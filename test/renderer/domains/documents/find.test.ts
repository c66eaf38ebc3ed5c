import { expect, onTestFinished, test, vi } from 'vitest'
import { effectScope, ref } from 'vue'
import {
  useFindInDocument,
  type FindSource,
} from '../../../../src/renderer/src/domains/documents/find/find-in-document.ts'
import {
  placesOf,
  startAt,
  type FoundPlace,
} from '../../../../src/renderer/src/domains/documents/find/match-places.ts'
import { createPageTexts } from '../../../../src/renderer/src/domains/documents/find/page-texts.ts'
import {
  blockPlaces,
  filePlaces,
} from '../../../../src/renderer/src/domains/documents/find/match-reader.ts'
import type { BlockHit } from '../../../../src/shared/contract/documents.ts'

const hit = (page: number, matches = 1): BlockHit => ({
  blockId: `b${page}`,
  page,
  snippet: '',
  ranges: Array.from({ length: matches }, (_, at) => [at * 4, at * 4 + 3] as const),
})
const at = (page: number, nth = 0): FoundPlace => ({ page, blockId: `b${page}`, nth })
async function all(found: AsyncIterable<readonly FoundPlace[]>): Promise<readonly FoundPlace[]> {
  const places: FoundPlace[] = []
  for await (const some of found) places.push(...some)
  return places
}

test('returns every match of a block, and starts the search at the current page', () => {
  const places = placesOf([hit(1, 2), hit(4), hit(9)])
  expect(places).toEqual([at(1), at(1, 1), at(4), at(9)])
  expect(startAt(places, { page: 3 })).toBe(2)
  expect(startAt(places, { page: 1, blockId: 'b1', nth: 1 })).toBe(1)
  expect(startAt(places, { page: 4, blockId: 'gone' })).toBe(2)
  expect(startAt(places, { page: 10 })).toBe(-1)
})

/** Document with one match on each page in `of`, reported two pages at a time. */
const paged =
  (of: readonly number[], requestedPages: number[] = []) =>
  async (_query: string, from: number) => {
    requestedPages.push(from)
    const rest = of.filter((page) => page >= from)
    return { hits: rest.slice(0, 2).map((page) => hit(page)), next: rest[2] ?? null }
  }

test('reads matches from a page to the end, then those before it, once each', async () => {
  const requestedPages: number[] = []
  const pages = [1, 2, 3, 5, 8, 9]
  const places = await all(blockPlaces(paged(pages, requestedPages), 'x', 4))
  expect(places.map(({ page }) => page)).toEqual([5, 8, 9, 1, 2, 3])
  expect(requestedPages).toEqual([4, 9, 1, 3])
  expect((await all(blockPlaces(paged(pages), 'x', 1))).map(({ page }) => page)).toEqual(pages)
  const refused = all(blockPlaces(() => Promise.resolve(null), 'x', 1))
  await expect(refused).rejects.toThrow('cannot be read')
})

test("searches the file's own text page by page, ignoring case, with single Chinese characters", async () => {
  const texts = ['The Sea and the sea', '灯塔在海边', 'nothing', 'SEA']
  const words = {
    pages: 4,
    text: async (page: number) => {
      if (page === 3) throw new Error('cannot be read')
      return texts[page - 1] ?? ''
    },
    idle: () => Promise.resolve(),
  }
  const pages = async (query: string, first: number) =>
    (await all(filePlaces(words, query, first))).map(({ page, nth }) => `${page}.${nth}`)
  expect(await pages('sea', 2)).toEqual(['4.0', '1.0', '1.1'])
  expect(await pages('塔', 1)).toEqual(['2.0'])
  expect(await pages('海边', 1)).toEqual(['2.0'])
  expect(await pages('sea nothing', 1)).toEqual([])
})

test('reads the text of a page once, and caches it as long as there is room', async () => {
  const read: number[] = []
  const texts = createPageTexts(async (page) => {
    read.push(page)
    return page === 9 ? '  ' : 'x'.repeat(3_000_000)
  })
  await texts.of(9)
  expect(texts.bare).toBe(true)
  for (const page of [1, 2, 2, 3, 1]) await texts.of(page)
  expect(texts.bare).toBe(false)
  expect(read).toEqual([9, 1, 2, 3, 1])
})

/** Search over batches that the test releases one by one. */
function search(page = 1) {
  vi.useFakeTimers()
  const scope = effectScope()
  onTestFinished(() => {
    scope.stop()
    vi.useRealTimers()
  })
  const source = ref<FindSource | null>('blocks')
  const changes = ref(0)
  const gates = new Map<number, (batch: readonly FoundPlace[] | null) => void>()
  const requests: string[] = []
  const find = scope.run(() =>
    useFindInDocument({
      source: () => source.value,
      page: () => page,
      changes: () => changes.value,
      async *places(from, query, first) {
        const mine = requests.push(`${from} ${query} ${first}`)
        for (;;) {
          const batch = await new Promise<readonly FoundPlace[] | null>((resolve) => {
            gates.set(mine, resolve)
          })
          if (!batch) return
          yield batch
        }
      },
    }),
  )
  if (!find) throw new Error('no search')
  const wait = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
  return {
    find,
    source,
    changes,
    requests,
    wait,
    /** Answers a search: the last one, or the one with this number. */
    async give(batch: readonly FoundPlace[] | null, which = requests.length): Promise<void> {
      gates.get(which)?.(batch)
      await wait()
    },
  }
}

test('increases the count while reading, and keeps the position when earlier pages are added', async () => {
  const { find, requests, give, wait } = search(5)
  find.begin('')
  find.query.value = 'se'
  await wait(50)
  find.query.value = 'sea'
  await wait(200)
  expect(requests).toEqual(['blocks sea 5'])
  expect(find.loading.value).toBe(true)
  await give([at(6), at(7)])
  expect([find.index.value, find.places.value.length]).toEqual([0, 2])
  find.step(1)
  await give([at(1), at(2)])
  expect([find.index.value, find.places.value.length]).toEqual([3, 4])
  expect(find.current.value).toEqual(at(7))
  await give(null)
  expect(find.loading.value).toBe(false)
  find.step(1)
  expect(find.current.value).toEqual(at(1))
  find.step(-1)
  expect(find.index.value).toBe(3)
})

test('selects the first match after reading everything if none follows the page', async () => {
  const { find, give, wait } = search(5)
  find.begin('sea')
  await wait(200)
  await give([at(1), at(2)])
  expect(find.index.value).toBe(-1)
  await give(null)
  expect(find.current.value).toEqual(at(1))
})

test('searches changed text again without a jump, and ends the previous search when typing', async () => {
  const { find, requests, changes, give, wait } = search()
  find.begin('sea')
  await wait(200)
  await give([at(1), at(2)])
  find.step(1)
  find.query.value = 'seal'
  await wait(200)
  // A result of the previous query is not shown any more.
  await give([at(9)], 1)
  expect(requests.at(-1)).toBe('blocks seal 2')
  await give([at(2), at(3)])
  await give(null)
  const before = find.current.value
  changes.value += 1
  await wait(1000)
  expect(find.places.value).not.toEqual([])
  await give([at(2), at(3), at(4)])
  await give(null)
  expect(find.places.value).toHaveLength(3)
  expect(find.current.value).toBe(before)
})

test('requests and shows nothing after a search is closed', async () => {
  const { find, requests, changes, source, give, wait } = search()
  find.begin('sea')
  await wait(200)
  await give([at(1)])
  find.close()
  changes.value += 1
  source.value = 'file'
  await wait(2000)
  await give([at(3)])
  expect(requests).toHaveLength(1)
  expect([find.places.value, find.current.value, find.query.value]).toEqual([[], null, ''])
})
