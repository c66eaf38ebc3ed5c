import { expect, onTestFinished, test, vi } from 'vitest'
import {
  againChoices,
  againRequest,
  firstChoice,
} from '../../../../../src/renderer/src/domains/audio/meetings/retranscribe-options.ts'
import { useRetranscribe } from '../../../../../src/renderer/src/domains/audio/meetings/retranscribe-store.ts'
import { passesOf } from '../../../../../src/renderer/src/domains/audio/meetings/transcription-passes.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import {
  enginesOf,
  talkTimes,
} from '../../../../../src/renderer/src/domains/audio/meetings/talk-time.ts'
import type { SegmentVersion } from '../../../../../src/shared/model/meeting.ts'
import { failure } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, proposalOf, segmentOf } from './side-data.ts'

const segments = [
  segmentOf('a', 0),
  segmentOf('b', 10_000, { state: 'flagged' }),
  segmentOf('c', 12_000, { channel: 1 }),
]

test('offers only existing lines to transcribe again, with their length', () => {
  const line = lineOf('1', segmentOf('c', 12_000), 'x')
  const choices = againChoices(segments, { startMs: 9_000, endMs: 11_000 }, [line, line])
  expect(choices).toEqual([
    { kind: 'range', segmentIds: ['a', 'b'], ms: 20_000 },
    { kind: 'lines', segmentIds: ['c'], ms: 10_000 },
    { kind: 'flagged', segmentIds: ['b'], ms: 10_000 },
    { kind: 'words', segmentIds: null, ms: null },
    { kind: 'all', segmentIds: ['a', 'b', 'c'], ms: 30_000 },
  ])
  const plain = againChoices([segmentOf('a', 0)], null, [])
  expect(plain.map(({ kind }) => kind)).toEqual(['words', 'all'])
  expect(againChoices([], { startMs: 0, endMs: 1 }, [line])).toEqual([])
})

test('excludes a segment that the range only touches', () => {
  const [range] = againChoices(segments, { startMs: 10_000, endMs: 12_000 }, [])
  expect(range).toMatchObject({ kind: 'range', segmentIds: ['b'] })
})

test('opens the dialog at the requested choice, otherwise at the narrowest', () => {
  const choices = againChoices(segments, null, [])
  expect(firstChoice(choices, 'words')).toBe('words')
  expect(firstChoice(choices, 'range')).toBe('flagged')
  // Terms have to be entered first.
  expect(firstChoice(againChoices([segmentOf('a', 0)], null, []), null)).toBe('all')
  expect(firstChoice([], null)).toBe('all')
})

test('builds a separate request for each choice, in whole milliseconds', () => {
  const range = { startMs: 9000.4, endMs: 11_000.2 }
  const offered = againChoices(segments, range, [lineOf('1', segmentOf('c', 0), 'x')]).map(
    (choice) => againRequest(choice, range, ['Lectern']),
  )
  expect(offered).toEqual([
    { type: 'range', startMs: 9000, endMs: 11_001 },
    { type: 'segments', ids: ['c'] },
    { type: 'flagged' },
    { type: 'words', words: ['Lectern'] },
    { type: 'all' },
  ])
  const [words] = againChoices([segmentOf('a', 0)], null, [])
  expect(words && againRequest(words, null, [])).toBeNull()
})

test('separates segments waiting for another pass from failed ones', () => {
  const error = failure('SERVER_ERROR')
  expect(
    passesOf([
      segmentOf('a', 0),
      segmentOf('b', 0, { error }),
      segmentOf('c', 0, { anotherPass: true }),
      segmentOf('d', 0, { anotherPass: true, error, nextTryAt: 5 }),
      segmentOf('e', 0, { anotherPass: true, error: { ...error, at: 1 } }),
      segmentOf('f', 0, { anotherPass: true, error: { ...error, at: 2, code: 'NO_KEY' } }),
    ]),
  ).toMatchObject({ waiting: 2, failed: 2, error: { code: 'NO_KEY' } })
  expect(passesOf(segments)).toEqual({ waiting: 0, failed: 0, error: null })
})

test('lists speaking times and the engines used', () => {
  const lines = [
    lineOf('1', segmentOf('a', 0), 'x', { endMs: 4000 }),
    lineOf('2', segmentOf('b', 5000), 'y', { endMs: 6000, accountName: 'Home' }),
    lineOf('3', segmentOf('c', 7000), 'z', { speakerId: 's2', accountName: 'Home' }),
  ]
  expect([...talkTimes(lines)]).toEqual([
    ['s1', { lines: 2, ms: 5000 }],
    ['s2', { lines: 1, ms: 10_000 }],
  ])
  expect(enginesOf(lines).map(({ accountName }) => accountName)).toEqual(['Home', 'Work'])
})

/** Returns the stores for a meeting with two suggestions. */
async function review() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const app = rendererSetup()
  const lines = segments.map((one, at) => lineOf(`line-${at}`, one, `Words ${at}`))
  let proposals: SegmentVersion[] = [proposalOf('x', 'b', 'Other'), proposalOf('y', 'a', 'Else')]
  const decided: unknown[] = []
  app.main.answer('meetings.get', () => ({ meeting: meetingOf() }))
  app.main.answer('meetings.lines', () => ({ lines, segments, next: null }))
  app.main.answer('meetings.versions', () => ({ versions: proposals }))
  app.main.answer('meetings.again', () => ({ segments: 2 }))
  app.main.answer('meetings.decide', (request: { versionIds: string[]; accept: boolean }) => {
    decided.push(request)
    proposals = proposals.filter(({ id }) => !request.versionIds.includes(id))
    return { meeting: meetingOf(), lines: [], removed: [] }
  })
  const store = app.run(() => useMeeting())
  const again = app.run(() => useRetranscribe())
  await store.open('m1')
  await app.settle()
  const propose = (one: SegmentVersion): void => void (proposals = [one, ...proposals])
  return { app, store, again, decided, propose }
}

test('loads suggestions with the meeting, and again after new results', async () => {
  const { app, store, again, propose } = await review()
  expect(again.rows.map(({ version, before }) => [version.id, before])).toEqual([
    ['y', 'Words 0'],
    ['x', 'Words 1'],
  ])
  const times = (): number =>
    app.main.requests.filter(({ route }) => route === 'meetings.versions').length
  const before = times()
  propose(proposalOf('z', 'c', 'Third'))
  for (let burst = 0; burst < 5; burst++)
    app.main.app({
      type: 'meeting.lines',
      id: 'm1',
      lines: [],
      removed: [],
      segments: [...segments],
    })
  await vi.advanceTimersByTimeAsync(1000)
  expect(again.proposals.map(({ id }) => id)).toEqual(['z', 'x', 'y'])
  expect(times()).toBe(before + 1)
  store.close()
  await app.settle()
  expect(again.proposals).toEqual([])
})

test('sends one decision for all readings and removes them from the list', async () => {
  const { again, decided, app } = await review()
  await again.decide(again.proposals, true)
  expect(decided).toEqual([{ id: 'm1', versionIds: ['x', 'y'], accept: true }])
  expect(again.rows).toEqual([])
  await again.decide([], true)
  expect(decided).toHaveLength(1)
  expect(await again.ask({ which: { type: 'all' }, hotwords: ['Lectern'] })).toBe(2)
  expect(app.main.requests.at(-1)).toEqual({
    route: 'meetings.again',
    payload: { id: 'm1', which: { type: 'all' }, hotwords: ['Lectern'] },
  })
})
