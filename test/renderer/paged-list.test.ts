import { expect, test } from 'vitest'
import type { Reply } from '../../src/shared/contract/reply.ts'
import { nextOffset, usePagedList, type Page } from '../../src/renderer/src/kit/use-paged-list.ts'

interface Row {
  readonly id: number
}
type Answer = Reply<Page<Row, number>>

const page = (ids: readonly number[], next: number | null = null): Answer => ({
  ok: true,
  data: { rows: ids.map((id) => ({ id })), next },
})
const failed: Answer = {
  ok: false,
  error: { code: 'INTERNAL', message: '', retriable: true, at: 0 },
}

/** A list whose requests the test answers one by one, in any order. */
function openList(options: { readonly maxReload?: number } = {}) {
  const requests: { cursor: number | null; limit: number; answer: (reply: Answer) => void }[] = []
  const list = usePagedList<Row, number>({
    pageSize: 2,
    ...options,
    request: (asked) => new Promise((answer) => requests.push({ ...asked, answer })),
  })
  const ids = (): number[] => list.rows.value.map(({ id }) => id)
  const answer = async (at: number, reply: Answer): Promise<void> => {
    requests[at]?.answer(reply)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { list, requests, ids, answer }
}

test('shows only the reply to the latest request', async () => {
  const { list, ids, answer } = openList()
  void list.load()
  expect(list.state.value).toBe('loading')
  void list.load()
  await answer(1, page([2]))
  await answer(0, page([1]))
  expect(ids()).toEqual([2])
  expect(list.state.value).toBe('ready')
})

test('adds a page once, without the rows it already has', async () => {
  const { list, requests, ids, answer } = openList()
  void list.load()
  await answer(0, page([1, 2], 7))
  void list.more()
  void list.more()
  expect(requests.slice(1)).toMatchObject([{ cursor: 7, limit: 2 }])
  await answer(1, page([2, 3]))
  expect(ids()).toEqual([1, 2, 3])
  void list.more()
  expect(requests).toHaveLength(2)
})

test('ignores a page of a list that was loaded again, and can grow afterwards', async () => {
  const { list, requests, ids, answer } = openList()
  void list.load()
  await answer(0, page([1, 2], 7))
  void list.more()
  void list.load()
  await answer(1, page([3]))
  await answer(2, page([8, 9], 5))
  expect(ids()).toEqual([8, 9])
  void list.more()
  expect(requests.at(-1)).toMatchObject({ cursor: 5 })
})

test('keeps its rows when a request fails, and requests the next page again', async () => {
  const { list, requests, ids, answer } = openList()
  void list.load()
  await answer(0, page([1, 2], 7))
  void list.more()
  await answer(1, failed)
  void list.more()
  expect(requests.at(-1)).toMatchObject({ cursor: 7 })
  void list.load()
  await answer(3, failed)
  expect(ids()).toEqual([1, 2])
  expect(list.state.value).toBe('failed')
  expect(list.failure.value).not.toBeNull()
})

test('reloads as many rows as it shows, up to a maximum', async () => {
  const { list, requests, answer } = openList({ maxReload: 3 })
  void list.load()
  await answer(0, page([1, 2], 7))
  void list.more()
  await answer(1, page([3, 4], 9))
  void list.load()
  expect(requests.at(-1)).toMatchObject({ cursor: null, limit: 3 })
})

test('stays empty after it was cleared during a request', async () => {
  const { list, ids, answer } = openList()
  void list.load()
  list.clear()
  await answer(0, page([1]))
  expect(ids()).toEqual([])
  expect(list.state.value).toBe('idle')
})

test('ends a list by offset at its total or at an empty page', () => {
  expect(nextOffset(0, [1, 2], 5)).toBe(2)
  expect(nextOffset(4, [5], 5)).toBeNull()
  expect(nextOffset(4, [], 9)).toBeNull()
})

test('adds no page while the list is loaded again', async () => {
  const { list, requests, ids, answer } = openList()
  void list.load()
  await answer(0, page([1, 2], 7))
  void list.load()
  void list.more()
  expect(requests).toHaveLength(2)
  await answer(1, page([8, 9], 5))
  void list.more()
  expect(requests.at(-1)).toMatchObject({ cursor: 5 })
  expect(ids()).toEqual([8, 9])
})
