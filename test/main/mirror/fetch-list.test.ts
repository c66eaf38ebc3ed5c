import { expect, test } from 'vitest'
import { everyPage } from '../../../src/main/mirror/fetch-list.ts'
import { AppError } from '../../../src/main/errors.ts'

const rows = (from: number, n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: `row ${from + i}` }))

test('reads every page of a list, and no row twice', async () => {
  const requestedPages: number[] = []
  const { rows: found, whole } = await everyPage(
    10,
    async (page) => {
      requestedPages.push(page)
      // One row was inserted at the front while reading: all others moved by one.
      return { rows: rows(page * 10 - (page > 1 ? 11 : 10), page < 3 ? 10 : 6), total: 25 }
    },
    () => undefined,
  )
  expect(requestedPages).toEqual([1, 2, 3])
  expect(found.map(({ id }) => id)).toEqual(rows(0, 25).map(({ id }) => id))
  expect(whole).toBe(true)
})

test('continues after a short page while the total is larger', async () => {
  const requestedPages: number[] = []
  const { rows: found, whole } = await everyPage(
    100,
    async (page) => {
      requestedPages.push(page)
      // The server returns 10 rows at a time, whatever is requested.
      return { rows: rows(page * 10 - 10, 10), total: 30 }
    },
    () => undefined,
  )
  expect({ requestedPages, n: found.length, whole }).toEqual({
    requestedPages: [1, 2, 3],
    n: 30,
    whole: true,
  })
})

test('continues a list without a total after a full page', async () => {
  const { rows: found, whole } = await everyPage(
    10,
    async (page) => {
      const some = rows(page * 10 - 10, page < 3 ? 10 : 4)
      return { rows: some, total: some.length }
    },
    () => undefined,
  )
  expect({ n: found.length, whole }).toEqual({ n: 24, whole: true })
})

test('does not treat a list that lost rows while reading as complete', async () => {
  const lengths = [10, 3]
  const page = async (n: number) => ({ rows: rows(n * 10 - 10, lengths[n - 1] ?? 0), total: 14 })
  expect((await everyPage(10, page, () => undefined)).whole).toBe(false)
})

test('stops after the second page if a provider returns its first page every time', async () => {
  let requestCount = 0
  const { rows: found } = await everyPage(
    10,
    async () => {
      requestCount += 1
      return { rows: rows(0, 10), total: 500 }
    },
    () => undefined,
  )
  expect({ asked: requestCount, n: found.length }).toEqual({ asked: 2, n: 10 })
})

test('returns the rows before a page that failed', async () => {
  let reported: readonly { readonly id: string }[] = []
  const broken = everyPage(
    10,
    async (page) => {
      if (page === 3) throw new AppError('SERVER_ERROR', 'broken', { retriable: true })
      return { rows: rows(page * 10 - 10, 10), total: 100 }
    },
    (some) => (reported = some),
  )
  await expect(broken).rejects.toMatchObject({ code: 'SERVER_ERROR' })
  expect(reported).toHaveLength(20)
})
