import { expect, test } from 'vitest'
import {
  flagsToCheck,
  rowIndexAt,
  rowRem,
  transcriptRows,
  turnLines,
} from '../../../../../src/renderer/src/domains/audio/meetings/rows.ts'
import { failure } from '../../../fake-data.ts'
import { lineOf, segmentOf } from './side-data.ts'

const none = new Map<string, string>()
const mic = segmentOf('a', 0)
const others = segmentOf('b', 12_000, { channel: 1 })

test('groups lines by turn: names a speaker after a change and after a long pause', () => {
  const late = segmentOf('d', 300_000, { channel: 1 })
  const lines = [
    lineOf('1', mic, 'One'),
    lineOf('2', mic, 'Two', { startMs: 6000 }),
    lineOf('3', others, 'Three'),
    lineOf('4', late, 'Four'),
  ]
  const rows = transcriptRows(lines, [mic, others, late], none)
  expect(rows.map((row) => row.kind === 'line' && row.head)).toEqual([true, false, true, true])
  expect(turnLines(rows, 0).map(({ id }) => id)).toEqual(['1', '2'])
  expect(turnLines(rows, 1).map(({ id }) => id)).toEqual(['2'])
  expect(turnLines(rows, 9)).toEqual([])
})

test('names the engine at the first line and at every change', () => {
  const lines = [
    lineOf('1', mic, 'One'),
    lineOf('2', others, 'Two'),
    lineOf('3', others, 'Three', { model: 'asr-2' }),
    lineOf('4', others, 'Four', { model: 'asr-2', accountName: 'Home' }),
  ]
  const rows = transcriptRows(lines, [], none)
  expect(rows.map((row) => row.kind === 'line' && row.engine)).toEqual([true, false, true, true])
})

test('shows waiting, silent and failed segments in place, with the reason', () => {
  const error = failure('SERVICE_FAILED')
  const segments = [
    segmentOf('w', 0, { state: 'pending', versionId: null }),
    segmentOf('s', 20_000, { state: 'silent' }),
    segmentOf('f', 40_000, { state: 'failed', versionId: null, error }),
    segmentOf('x', 60_000),
  ]
  const line = lineOf('1', segmentOf('x', 60_000), 'Words')
  const rows = transcriptRows([line], segments, none)
  expect(rows.map(({ kind, startMs }) => [kind, startMs])).toEqual([
    ['wait', 0],
    ['silent', 20_000],
    ['hole', 40_000],
    ['line', 60_000],
  ])
  expect(rows[2]).toMatchObject({ segmentIds: ['f'], error })
})

test('shows the text of an attempt that failed or was interrupted, until it has a result', () => {
  const error = failure('STREAM_CUT')
  const segments = [
    segmentOf('w', 0, { state: 'pending', versionId: null, partial: 'One' }),
    segmentOf('i', 20_000, { state: 'inflight', versionId: null, partial: 'Two' }),
    segmentOf('f', 40_000, { state: 'failed', versionId: null, error, partial: 'Three' }),
    segmentOf('s', 60_000, { state: 'silent', partial: 'Four' }),
  ]
  const rows = transcriptRows([], segments, new Map([['i', 'Two and more']]))
  expect(rows.map((row) => row.kind !== 'line' && [row.kind, row.text])).toEqual([
    ['wait', 'One'],
    ['wait', 'Two and more'],
    ['hole', 'Three'],
    ['silent', ''],
  ])
  expect(rows[2]).toMatchObject({ error, isTranscribing: false })
})

test('keeps lines during another pass, and leaves no gap for removed lines', () => {
  const transcribing = segmentOf('a', 0, { state: 'inflight' })
  const removed = segmentOf('b', 20_000, { state: 'pending' })
  expect(
    transcriptRows([lineOf('1', transcribing, 'Words')], [transcribing, removed], none).map(
      ({ kind }) => kind,
    ),
  ).toEqual(['line'])
})

test('combines hours of waiting in one row, but not across channels or running segments', () => {
  const wait = (id: string, startMs: number, more = {}) =>
    segmentOf(id, startMs, { state: 'pending', versionId: null, ...more })
  const rows = transcriptRows(
    [],
    [
      wait('1', 0),
      wait('2', 10_000),
      wait('3', 20_000, { channel: 1 }),
      wait('4', 30_000, { channel: 1, state: 'inflight' }),
    ],
    new Map([['4', 'and then']]),
  )
  expect(rows.map((row) => (row.kind === 'line' ? '' : row.segmentIds.join()))).toEqual([
    '1,2',
    '3',
    '4',
  ])
  expect(rows[0]?.endMs).toBe(20_000)
  expect(rows[2]).toMatchObject({ isTranscribing: true, text: 'and then' })
})

test('shows bookmarks at the row spoken at their time, also before the first', () => {
  const marks = [
    { id: 'm1', atMs: 13_000, label: 'Decision' },
    { id: 'm2', atMs: 12_500, label: '' },
    { id: 'm3', atMs: 0, label: '' },
  ]
  const late = [
    lineOf('1', segmentOf('a', 1000), 'One'),
    lineOf('2', others, 'Two'),
    lineOf('3', segmentOf('c', 30_000), 'Three'),
  ]
  const rows = transcriptRows(late, [], none, marks)
  expect(rows.map((row) => row.bookmarks?.map(({ id }) => id))).toEqual([
    ['m3'],
    ['m2', 'm1'],
    undefined,
  ])
  expect(transcriptRows([], [], none, marks)).toEqual([])
})

test('finds the row of a time as the last one that begins before it', () => {
  const rows = transcriptRows([lineOf('1', mic, 'One'), lineOf('2', others, 'Two')], [], none)
  const at = [-1, 0, 11_999, 12_000, 999_999].map((ms) => rowIndexAt(rows, ms))
  expect(at).toEqual([-1, 0, 0, 1, 1])
})

test('needs review only for flags of the text, and none after a manual edit', () => {
  const flags = ['seam', 'loop'] as const
  expect(flagsToCheck({ flags, edited: false })).toEqual(['loop'])
  expect(flagsToCheck({ flags, edited: true })).toEqual([])
})

test('estimates heights by text length, twice as fast for wide characters', () => {
  const remOf = (text: string) => {
    const [row] = transcriptRows([lineOf('1', mic, text)], [], none)
    return row ? rowRem(row, 40) : 0
  }
  expect(remOf('a'.repeat(80))).toBeGreaterThan(remOf('a'.repeat(40)))
  expect(remOf('会'.repeat(40))).toBe(remOf('a'.repeat(80)))
})
