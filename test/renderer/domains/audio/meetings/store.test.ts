import { expect, test, vi } from 'vitest'
import type { LinesChange } from '../../../../../src/renderer/src/domains/audio/meetings/meeting-lines.ts'
import { createMeetingLines } from '../../../../../src/renderer/src/domains/audio/meetings/meeting-lines.ts'
import {
  inOrder,
  lastBefore,
  nextAfter,
} from '../../../../../src/renderer/src/domains/audio/meetings/in-order.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import { transcriptRows } from '../../../../../src/renderer/src/domains/audio/meetings/rows.ts'
import type { Line, Meeting } from '../../../../../src/shared/model/meeting.ts'
import { failure } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, segmentOf } from './side-data.ts'

const segments = Array.from({ length: 2500 }, (_, at) => segmentOf(`s${at}`, at * 10_000))
const lines = segments.map((segment, at) => lineOf(`l${at}`, segment, `Line ${at}`))

/** Returns the app with one long meeting; `meeting` is the state in main. */
function opened() {
  const app = rendererSetup()
  const saved = { meeting: meetingOf(), lines: [...lines] }
  app.main.answer('meetings.get', () => ({ meeting: saved.meeting }))
  app.main.answer('meetings.lines', ({ from, limit }: { from: number; limit: number }) => ({
    lines: saved.lines.slice(from, from + limit),
    segments: segments.slice(from, from + limit),
    next: from + limit < segments.length ? from + limit : null,
  }))
  const reopened = vi.spyOn(app.client, 'onReopen')
  const store = app.run(() => useMeeting())
  const reopen = (): void => reopened.mock.calls.forEach(([listener]) => listener())
  const emitChange = (change: Partial<LinesChange>, id = 'm1') =>
    app.main.app({ type: 'meeting.lines', id, lines: [], removed: [], segments: [], ...change })
  return { ...app, store, emitChange, reopen, saved }
}
const texts = (found: readonly Line[]) => found.map(({ text }) => text)

test('loads a long meeting page by page and shows each on arrival', async () => {
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

test('prefers a change received while pages are loading', async () => {
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

test('reloads pages when a line is removed while they are loading', async () => {
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

test('ignores lines of another meeting and renders a burst of changes once', async () => {
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

test('keeps streamed text per segment until its result is there', async () => {
  const { store, main } = opened()
  await store.open('m1')
  const say = (text: string) =>
    main.app({ type: 'meeting.partial', id: 'm1', segmentId: 's3', text })
  say('And so')
  expect(store.partial.get('s3')).toBe('And so')
  say('')
  expect(store.partial.has('s3')).toBe(false)
})

test('keeps the live text of a recording that was stopped until its result is there', async () => {
  const { store, main, emitChange, settle } = opened()
  await settle()
  const waits = segmentOf('s3', 30_000, { state: 'inflight', versionId: null })
  main.app({ type: 'meeting.preview', id: 'm1', channel: 0, startMs: 40_000, text: 'so' })
  main.app({ type: 'meeting.partial', id: 'm1', segmentId: 's3', text: 'And' })
  await store.open('m1')
  expect(store.partial.get('s3')).toBe('And')
  expect(store.previews).toMatchObject([{ id: 'm1', text: 'so' }])
  const rows = transcriptRows([], [waits], store.partial, [], store.previews)
  expect(rows.map((row) => row.kind === 'wait' && row.text)).toEqual(['And', 'so'])
  main.app({ type: 'meeting.preview', id: 'm1', channel: 0, startMs: 40_000, text: '' })
  expect(store.previews).toEqual([])
  emitChange({ segments: [segmentOf('s3', 30_000)] })
  store.close()
  await store.open('m1')
  expect(store.partial.has('s3')).toBe(false)
})

test('drops the speech of a meeting that is no longer recorded, and all of it after a lost connection', async () => {
  const { store, main, reopen } = opened()
  await store.open('m1')
  const speak = (id: string) =>
    main.app({ type: 'meeting.preview', id, channel: 0, startMs: 40_000, text: 'so' })
  const ids = () => store.previews.map(({ id }) => id)
  speak('m1')
  speak('m2')
  main.app({ type: 'meeting.changed', meeting: meetingOf({ state: 'paused' }) })
  expect(ids()).toEqual(['m1', 'm2'])
  main.app({ type: 'meeting.changed', meeting: meetingOf({ state: 'stopped' }) })
  expect(ids()).toEqual(['m2'])
  reopen()
  expect(ids()).toEqual([])
})

test('shows an edit with its response, and the reason for a rejected one', async () => {
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

test('shows a new title at once and restores the old one when it is rejected', async () => {
  const { store, main, settle } = opened()
  await store.open('m1')
  const renaming = store.rename('Monday')
  expect(store.meeting?.title).toBe('Monday')
  await renaming
  // The item is not in the fake library: the rename is rejected.
  await settle()
  expect(store.meeting?.title).toBe('Weekly')
  expect(store.actionFailure?.code).toBe('NOT_FOUND')
  expect(main.requests.some(({ route }) => route === 'library.rename')).toBe(true)
})

test('hides suggested titles once the meeting is renamed, and shows them again for its old title', async () => {
  const { store, main, saved } = opened()
  const titleSuggestion = { titles: ['Release plan'], engine: null }
  saved.meeting = meetingOf({ titleSuggestion })
  main.answer('library.rename', ({ title }: { title: string }) => {
    saved.meeting = meetingOf({
      title,
      titleSuggestion: title === 'Weekly' ? titleSuggestion : null,
    })
    return {}
  })
  await store.open('m1')
  const renaming = store.rename('Release plan')
  expect(store.meeting?.titleSuggestion).toBeNull()
  expect(await renaming).toBe(true)
  expect(store.meeting).toMatchObject({ title: 'Release plan', titleSuggestion: null })
  expect(await store.rename('Weekly')).toBe(true)
  expect(store.meeting).toMatchObject({ title: 'Weekly', titleSuggestion })
})

test('reports a missing meeting, and ignores a late response for a closed one', async () => {
  const { store, main } = opened()
  main.answer('meetings.get', () => Promise.reject(new Error('never')))
  const gone = rendererSetup({
    fail: { 'meetings.get': failure('NOT_FOUND', { retriable: false }) },
  })
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

test('imports a failed file again under its own ID', async () => {
  const { store, main, saved } = opened()
  saved.meeting = meetingOf({ state: 'import-failed', originalMediaId: 'media-1' })
  main.answer('meetings.import', () => ({
    meeting: { ...saved.meeting, state: 'importing', importProgress: 0 } satisfies Meeting,
    known: true,
  }))
  await store.open('m1')
  expect(await store.readAgain()).toBe(true)
  expect(main.requests.at(-1)).toEqual({
    route: 'meetings.import',
    payload: { mediaId: 'media-1' },
  })
  expect(store.meeting?.state).toBe('importing')
})

test('never brings back removed entries from collection pages', () => {
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

test('sorts entries by time, then by channel', () => {
  const at = (id: string, startMs: number, channel = 0) => ({ id, startMs, endMs: 0, channel })
  const sorted = inOrder([at('c', 50), at('b', 10, 1), at('a', 10, 0)])
  expect(sorted.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect([5, 10, 49, 50].map((ms) => lastBefore(sorted, ms))).toEqual([-1, 1, 1, 2])
  expect(nextAfter(sorted, 10)?.id).toBe('c')
  expect(nextAfter(sorted, 50)?.id).toBe('a')
  expect(nextAfter([], 0)).toBeUndefined()
})
