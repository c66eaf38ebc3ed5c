import { expect, test, vi } from 'vitest'
import type { LinesChange } from '../../../src/renderer/src/features/meetings/meeting-lines.ts'
import { createMeetingLines } from '../../../src/renderer/src/features/meetings/meeting-lines.ts'
import {
  inOrder,
  lastBefore,
  nextAfter,
} from '../../../src/renderer/src/features/meetings/in-order.ts'
import { useMeeting } from '../../../src/renderer/src/features/meetings/store.ts'
import type { Line, Meeting } from '../../../src/shared/model/meeting.ts'
import { failure } from '../fake-data.ts'
import { rendererSetup } from '../stores.ts'
import { lineOf, meetingOf, segmentOf } from './side-data.ts'

const segments = Array.from({ length: 2500 }, (_, at) => segmentOf(`s${at}`, at * 10_000))
const lines = segments.map((segment, at) => lineOf(`l${at}`, segment, `Line ${at}`))

/** The app with one long meeting; `meeting` is what main has of it. */
function opened() {
  const app = rendererSetup()
  const saved = { meeting: meetingOf(), lines: [...lines] }
  app.main.answer('meetings.get', () => ({ meeting: saved.meeting }))
  app.main.answer('meetings.lines', ({ from, limit }: { from: number; limit: number }) => ({
    lines: saved.lines.slice(from, from + limit),
    segments: segments.slice(from, from + limit),
    next: from + limit < segments.length ? from + limit : null,
  }))
  const store = app.run(() => useMeeting())
  const emitChange = (change: Partial<LinesChange>, id = 'm1') =>
    app.main.app({ type: 'meeting.lines', id, lines: [], removed: [], segments: [], ...change })
  return { ...app, store, emitChange, saved }
}
const texts = (found: readonly Line[]) => found.map(({ text }) => text)

test('a long meeting is read page by page, each on screen as it comes', async () => {
  const { store, main } = opened()
  await store.open('m1')
  expect(store.meeting?.title).toBe('Weekly')
  expect(store.lines).toHaveLength(2500)
  expect(store.segments).toHaveLength(2500)
  expect(store.whole).toBe(true)
  const pages = main.requests.filter(({ route }) => route === 'meetings.lines')
  expect(pages.map(({ payload }) => (payload as { from: number }).from)).toEqual([
    0, 150, 1150, 2150,
  ])
  store.close()
  expect([store.meeting, store.lines.length, store.whole]).toEqual([null, 0, false])
})

test('a change that comes while pages are read is newer than the pages', async () => {
  const { store, emitChange, client } = opened()
  await client.request('app.info', {})
  const opening = store.open('m1')
  const [first] = lines
  if (!first) throw new Error('no lines')
  emitChange({ lines: [{ ...first, text: 'Changed' }] })
  await opening
  expect(texts(store.lines).slice(0, 2)).toEqual(['Changed', 'Line 1'])
  expect(store.lines).toHaveLength(2500)
})

test('a line that is removed while pages are read moves them: they are read again', async () => {
  const { store, emitChange, client, saved, main } = opened()
  await client.request('app.info', {})
  const opening = store.open('m1')
  saved.lines = lines.slice(1)
  emitChange({ removed: ['l0'] })
  await opening
  expect(texts(store.lines).slice(0, 2)).toEqual(['Line 1', 'Line 2'])
  expect(store.lines).toHaveLength(2499)
  expect(main.requests.filter(({ route }) => route === 'meetings.lines').length).toBeGreaterThan(3)
})

test('lines of another meeting change nothing, and a burst of changes is drawn once', async () => {
  const { store, emitChange } = opened()
  await store.open('m1')
  const before = store.lines
  const [first] = segments
  if (!first) throw new Error('no segments')
  emitChange({ lines: [lineOf('x', first, 'Elsewhere')] }, 'm2')
  for (let at = 0; at < 20; at++) emitChange({ lines: [lineOf('new', first, `Try ${at}`)] })
  expect(store.lines).toBe(before)
  await vi.waitFor(() => expect(store.lineById.get('new')?.text).toBe('Try 19'))
  expect(store.lineById.has('x')).toBe(false)
})

test('words that are still coming are kept by segment until their answer is there', async () => {
  const { store, main } = opened()
  await store.open('m1')
  const say = (text: string) =>
    main.app({ type: 'meeting.partial', id: 'm1', segmentId: 's3', text })
  say('And so')
  expect(store.partial.get('s3')).toBe('And so')
  say('')
  expect(store.partial.has('s3')).toBe(false)
})

test('an edit is on screen with its answer, and a refused one says why', async () => {
  const { store, main } = opened()
  await store.open('m1')
  const [line] = lines
  if (!line) throw new Error('no line')
  main.answer('meetings.edit', () => ({
    meeting: meetingOf({ canUndo: true }),
    lines: [{ ...line, text: 'Better', edited: true }],
    removed: ['l1'],
  }))
  expect(await store.edit({ type: 'text', lineId: line.id, text: 'Better' })).not.toBeNull()
  expect(store.meeting?.canUndo).toBe(true)
  expect(texts(store.lines).slice(0, 2)).toEqual(['Better', 'Line 2'])
  const refused = rendererSetup({ fail: { 'meetings.edit': failure('READ_ONLY') } })
  const other = refused.run(() => useMeeting())
  expect(await other.edit({ type: 'remove', lineIds: ['l1'] })).toBeNull()
  expect(other.actionFailure?.code).toBe('READ_ONLY')
})

test('a new title stands at once, and the old one comes back when it is refused', async () => {
  const { store, main, settle } = opened()
  await store.open('m1')
  const renaming = store.rename('Monday')
  expect(store.meeting?.title).toBe('Monday')
  await renaming
  // The item is not in the fake library: the rename is refused.
  await settle()
  expect(store.meeting?.title).toBe('Weekly')
  expect(store.actionFailure?.code).toBe('NOT_FOUND')
  expect(main.requests.some(({ route }) => route === 'library.rename')).toBe(true)
})

test('a meeting that is not there says so; one that was left is not shown by a late answer', async () => {
  const { store, main } = opened()
  main.answer('meetings.get', () => Promise.reject(new Error('never')))
  const gone = rendererSetup({ fail: { 'meetings.get': failure('NOT_FOUND', { retriable: false }) } })
  gone.main.answer('meetings.lines', () => ({ lines: [], segments: [], next: null }))
  const lost = gone.run(() => useMeeting())
  await lost.open('m9')
  expect([lost.failure?.code, lost.meeting]).toEqual(['NOT_FOUND', null])
  main.answer('meetings.get', () => ({ meeting: meetingOf() }))
  const opening = store.open('m1')
  store.close()
  await opening
  expect(store.meeting).toBeNull()
})

test('a file that failed is read in again by its own id', async () => {
  const { store, main, saved } = opened()
  saved.meeting = meetingOf({ state: 'import-failed', originalMediaId: 'media-1' })
  main.answer('meetings.import', () => ({
    meeting: { ...saved.meeting, state: 'importing', importProgress: 0 } satisfies Meeting,
    known: true,
  }))
  await store.open('m1')
  expect(await store.readAgain()).toBe(true)
  expect(main.requests.at(-1)).toEqual({ route: 'meetings.import', payload: { mediaId: 'media-1' } })
  expect(store.meeting?.state).toBe('importing')
})

test('pages of a collection never bring back what a change took away', () => {
  const meetingLines = createMeetingLines()
  const [a, b] = lines
  if (!a || !b) throw new Error('no lines')
  meetingLines.change({ lines: [], removed: [a.id], segments: [] })
  expect(meetingLines.moved).toBe(true)
  meetingLines.page({ lines: [a, b], segments: [] })
  expect(texts(meetingLines.lines())).toEqual(['Line 1'])
  meetingLines.settle()
  meetingLines.page({ lines: [a], segments: [] })
  expect(texts(meetingLines.lines())).toEqual(['Line 0', 'Line 1'])
})

test('things stand in the order of time, those of one moment by channel', () => {
  const at = (id: string, startMs: number, channel = 0) => ({ id, startMs, endMs: 0, channel })
  const sorted = inOrder([at('c', 50), at('b', 10, 1), at('a', 10, 0)])
  expect(sorted.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect([5, 10, 49, 50].map((ms) => lastBefore(sorted, ms))).toEqual([-1, 1, 1, 2])
  expect(nextAfter(sorted, 10)?.id).toBe('c')
  expect(nextAfter(sorted, 50)?.id).toBe('a')
  expect(nextAfter([], 0)).toBeUndefined()
})
