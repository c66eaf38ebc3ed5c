import { expect, onTestFinished, test, vi } from 'vitest'
import { useMeetingWorkspace } from '../../../../../src/renderer/src/domains/audio/meetings/meeting-workspace-store.ts'
import { foundPlaces } from '../../../../../src/renderer/src/domains/audio/meetings/find.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import type { LineHit } from '../../../../../src/shared/contract/meetings.ts'
import { failure } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, segmentOf } from './side-data.ts'

const hits: readonly LineHit[] = [
  {
    lineId: '1',
    startMs: 0,
    ranges: [
      [0, 3],
      [8, 11],
    ],
  },
  { lineId: '2', startMs: 12_000, ranges: [[4, 7]] },
  { lineId: '3', startMs: 30_000, ranges: [[0, 3]] },
]
const lines = [0, 12_000, 30_000].map((ms, at) =>
  lineOf(`${at + 1}`, segmentOf(`s${at}`, ms), 'one two one'),
)

test('counts each match in a line separately, in chronological order', () => {
  expect(foundPlaces(hits).map(({ lineId, range }) => [lineId, range[0]])).toEqual([
    ['1', 0],
    ['1', 8],
    ['2', 4],
    ['3', 0],
  ])
})

/** Opens a meeting whose search results are provided by the test. */
async function opened() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { main, run, settle } = rendererSetup()
  main.answer('meetings.get', () => ({ meeting: meetingOf() }))
  main.answer('meetings.lines', () => ({ lines, segments: [], next: null }))
  main.answer('meetings.find', () => ({ hits, acrossLines: 0 }))
  const store = run(() => useMeeting())
  const workspace = run(() => useMeetingWorkspace())
  await store.open('m1')
  await settle()
  const queries = () =>
    main.requests.flatMap(({ route, payload }) => (route === 'meetings.find' ? [payload] : []))
  return {
    main,
    store,
    find: workspace.find,
    queries,
    async wait(ms: number): Promise<void> {
      await vi.advanceTimersByTimeAsync(ms)
      await settle()
    },
  }
}

test('searches when typing pauses and selects the match at the playhead', async () => {
  const { find, queries, wait } = await opened()
  find.begin('', { ms: 11_000 })
  for (const query of ['o', 'on', 'one']) find.query = query
  await wait(500)
  expect(queries()).toEqual([{ id: 'm1', query: 'one' }])
  expect(find.places).toHaveLength(4)
  expect(find.current?.lineId).toBe('2')
  expect(find.byLine.get('1')).toHaveLength(2)
})

test('wraps around with next and previous', async () => {
  const { find, wait } = await opened()
  find.begin('one', { ms: 0 })
  await wait(0)
  const seen = [1, 1, 1, 1, -1].map((by) => {
    find.step(by)
    return find.index
  })
  expect(seen).toEqual([1, 2, 3, 0, 3])
})

test('keeps the opened line selected when matches are added before it', async () => {
  const { main, find, store, wait } = await opened()
  find.begin('one', { lineId: '3', ms: 30_000 })
  await wait(0)
  expect(find.current?.lineId).toBe('3')
  main.answer('meetings.find', () => ({
    hits: [{ lineId: '0', startMs: 0, ranges: [[0, 1]] }, ...hits],
    acrossLines: 0,
  }))
  main.app({
    type: 'meeting.lines',
    id: store.id ?? '',
    lines: [lineOf('9', segmentOf('x', 40_000), 'one')],
    removed: [],
    segments: [],
  })
  await wait(2000)
  expect(find.places).toHaveLength(5)
  expect(find.current?.lineId).toBe('3')
})

test('ignores late results and clears everything on closing', async () => {
  const { main, find, wait } = await opened()
  const waiting: ((answer: unknown) => void)[] = []
  find.begin('one', { ms: 0 })
  await wait(0)
  const request = main.request.bind(main)
  main.request = (route, payload) =>
    route === 'meetings.find'
      ? new Promise((resolve) => waiting.push((data) => resolve({ ok: true, data })))
      : request(route, payload)
  find.query = 'two'
  await wait(500)
  find.close()
  waiting[0]?.({ hits, acrossLines: 1 })
  await wait(0)
  expect([find.open, find.query, find.places, find.current]).toEqual([false, '', [], null])
})

test('finds nothing when a search fails and continues with the next keystroke', async () => {
  const { main, find, wait } = await opened()
  const request = main.request.bind(main)
  let broken = true
  main.request = (route, payload) =>
    broken && route === 'meetings.find'
      ? Promise.resolve({ ok: false, error: failure('INTERNAL') })
      : request(route, payload)
  find.begin('one', { ms: 0 })
  await wait(0)
  expect(find.places).toEqual([])
  find.step(1)
  broken = false
  find.query = 'ones'
  await wait(500)
  expect(find.places).toHaveLength(4)
})

test('finds the literal text while it is to be replaced', async () => {
  const { find, queries, wait } = await opened()
  find.begin('one', { ms: 0 })
  await wait(0)
  find.replacing = true
  await wait(0)
  expect(find.answered).toBe('one')
  find.literal.wholeWords = true
  // Until the answer, there are no matches that this option would replace.
  expect(find.answered).toBe('')
  await wait(0)
  expect(find.answered).toBe('one')
  find.replacing = false
  await wait(0)
  expect(queries().slice(-3)).toEqual([
    { id: 'm1', query: 'one', literal: { matchCase: false, wholeWords: false } },
    { id: 'm1', query: 'one', literal: { matchCase: false, wholeWords: true } },
    { id: 'm1', query: 'one' },
  ])
})

test('continues after a replaced match, in its line or the next one', async () => {
  const { find, wait } = await opened()
  find.begin('one', { ms: 0 })
  await wait(0)
  await find.again({ lineId: '1', ms: 0, from: 4 })
  expect(find.current).toMatchObject({ lineId: '1', range: [8, 11] })
  await find.again({ lineId: '1', ms: 0, from: 12 })
  expect(find.current?.lineId).toBe('2')
})
