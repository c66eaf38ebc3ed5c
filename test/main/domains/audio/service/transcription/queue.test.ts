import { expect, test } from 'vitest'
import type { ErrorCode } from '../../../../../../src/shared/contract/reply.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import {
  failure,
  transcriptionSetup,
  row,
  text,
  type TranscriptionSetup,
} from './transcription-setup.ts'

test('sends every segment once, in parallel queues, and its text becomes lines in order', async () => {
  const setup = await transcriptionSetup()
  setup.answer = (one) => ({ ...text(`Words of ${one.audio}.`), delayMs: 20 })
  const id = setup.meeting(row(24))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(24)
  expect(new Set(setup.requests.map(({ audio }) => audio)).size).toBe(24)
  expect(setup.maxInFlight()).toBe(4)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(Array(24).fill('done'))
  expect(setup.texts(id)).toEqual(
    setup.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
  // Within a queue each gets the preceding text as context; only queue starts do not.
  expect(setup.requests.filter(({ prompt }) => prompt === '')).toHaveLength(4)
  expect(setup.store.replies.byItem(id)).toHaveLength(24)
})

test('leaves a persistently failing segment as a gap, continues, and refills it on request', async () => {
  const setup = await transcriptionSetup({ places: 2 })
  const bad = '0 21000 31000'
  setup.answer = (one) => (one.audio === bad ? failure(400, '1301') : text('Fine words.'))
  const id = setup.meeting(row(6))
  setup.transcription.nudge(id)
  await setup.finish(id)
  const hole = setup.segments(id).find(({ startMs }) => startMs === 21_000)
  expect(hole).toMatchObject({ state: 'failed', error: { code: 'CONTENT_BLOCKED' } })
  expect(setup.segments(id).filter(({ state }) => state === 'done')).toHaveLength(5)
  setup.answer = () => text('Refilled words.')
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(setup.texts(id)[2]).toBe('Refilled words.')
})

test('a meeting imported from an archive waits across a restart until the user resumes it', async () => {
  const setup = await transcriptionSetup()
  setup.answer = () => text('Words.')
  const id = setup.meeting(row(3))
  const error = { code: 'LEFT_UNFINISHED', message: '', retriable: true, at: 1 } as const
  setup.store.meetings.update(id, { error })
  setup.transcription.resume()
  setup.transcription.nudge(id)
  setup.transcription.accountReady('account-1')
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(setup.requests).toEqual([])
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(3)
  expect(setup.store.meetings.get(id)?.error).toBeNull()
})

test('sends segments that are older than the audio only once it is written', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(2), { state: 'importing' })
  setup.transcription.resume()
  await setup.quiet()
  expect(setup.requests).toEqual([])
  setup.store.meetings.update(id, { importProgress: 0.5, durationMs: 10_200 })
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests.map(({ audio }) => audio)).toEqual(['0 0 10000'])
  setup.store.meetings.update(id, { state: 'stopped', importProgress: null, durationMs: 20_400 })
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(2)
})

test('does not read every waiting segment for each one that is transcribed', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  const { meetings } = setup.store
  const { nextTime } = meetings
  let searches = 0
  meetings.nextTime = (after) => {
    searches += 1
    return nextTime(after)
  }
  const id = setup.meeting(row(12))
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(12)
  expect(searches).toBeLessThan(4)
})

test('stops what waits and runs until it is requested again', async () => {
  const setup = await transcriptionSetup({ places: 2 })
  setup.answer = () => ({ ...text('Fine words.'), delayMs: 30 })
  const id = setup.meeting(row(8))
  setup.transcription.nudge(id)
  await eventually(() => expect(setup.requests.length).toBeGreaterThan(2))
  await setup.transcription.stop(id)
  const sent = setup.requests.length
  const stopped = setup.segments(id).filter(({ state }) => state === 'failed')
  expect(stopped.length).toBeGreaterThan(2)
  expect(stopped[0]).toMatchObject({ error: { code: 'CANCELLED' }, nextTryAt: null })
  expect(setup.segments(id).some(({ state }) => state === 'done')).toBe(true)
  setup.transcription.accountReady('account-1')
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(sent)
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
})

test('a stopped meeting stays stopped while the disk is full, and when it has space again', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = () => ({ ...text('Fine words.'), delayMs: 30 })
  const id = setup.meeting(row(4))
  setup.transcription.nudge(id)
  await eventually(() => expect(setup.requests).toHaveLength(2))
  const { updateSegment } = setup.store.meetings
  setup.store.meetings.updateSegment = (segmentId, patch) => {
    if (patch.error?.code === 'CANCELLED') throw new AppError('DISK_FULL', 'full')
    return updateSegment(segmentId, patch)
  }
  await expect(setup.transcription.stop(id)).rejects.toMatchObject({ code: 'DISK_FULL' })
  // New segments, or another import.
  setup.transcription.nudge(id)
  await setup.quiet()
  setup.store.meetings.updateSegment = updateSegment
  await eventually(() =>
    expect(setup.segments(id).map(({ state }) => state)).toEqual([
      'done',
      'failed',
      'failed',
      'failed',
    ]),
  )
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(2)
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
})

test('a segment that could not begin on a full disk stays stopped when it has space', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = () => text('Fine words.')
  const id = setup.meeting(row(2))
  const { updateSegment } = setup.store.meetings
  let refused = 0
  let isFull = true
  setup.store.meetings.updateSegment = (segmentId, patch) => {
    if (isFull) {
      refused += 1
      throw new AppError('DISK_FULL', 'full')
    }
    return updateSegment(segmentId, patch)
  }
  setup.transcription.nudge(id)
  // The pauses between the attempts to begin grow, so that Stop is stored before the next one.
  await eventually(() => expect(refused).toBeGreaterThan(3))
  await expect(setup.transcription.stop(id)).rejects.toMatchObject({ code: 'DISK_FULL' })
  isFull = false
  await eventually(() =>
    expect(setup.segments(id).map(({ state }) => state)).toEqual(['failed', 'failed']),
  )
  await setup.quiet()
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect(setup.requests).toEqual([])
  expect(setup.segments(id).map(({ state }) => state)).toEqual(['failed', 'failed'])
})

test.each(['importing', 'stopped'] as const)(
  'stops a meeting that is %s and not fully analyzed, also for segments found later',
  async (state) => {
    const setup = await transcriptionSetup()
    setup.answer = () => text('Fine words.')
    const id = setup.meeting([], { state })
    setup.store.meetings.update(id, { durationMs: 20_400 })
    await setup.transcription.stop(id)
    setup.store.meetings.update(id, { state: 'stopped', importProgress: null })
    const [segment] = row(1)
    const found = { channel: 0, startMs: 0, endMs: 10_000, forcedStart: false, forcedEnd: false }
    setup.store.meetings.addSegments(
      id,
      0,
      [{ id: 'later', ...found, voiced: [], ...segment }],
      20_400,
    )
    setup.transcription.nudge(id)
    setup.transcription.accountReady('account-1')
    await setup.quiet()
    await setup.restart()
    await setup.quiet()
    expect(setup.requests).toEqual([])
    setup.transcription.fill(id)
    await setup.finish(id)
    expect(setup.segments(id)).toMatchObject([{ state: 'done' }])
    expect(setup.store.meetings.get(id)?.error).toBeNull()
  },
)

test('stops another pass, whose text stays as it was', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(1))
  setup.transcription.nudge(id)
  await setup.finish(id)
  const before = setup.texts(id)
  setup.answer = () => ({ ...text('Other words.'), delayMs: 10_000 })
  await setup.transcription.again(
    id,
    { type: 'all' },
    { accountId: 'account-1', prompt: 'A plan', hotwords: [] },
  )
  await eventually(() => expect(setup.requests).toHaveLength(2))
  expect(setup.requests[1]?.prompt).toContain('A plan')
  await setup.transcription.stop(id)
  await setup.quiet()
  expect(setup.segments(id)).toMatchObject([{ state: 'done', error: null, attempts: 0 }])
  expect(setup.store.meetings.withWork()).toEqual([])
  expect(setup.texts(id)).toEqual(before)
  setup.transcription.fill(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(2)
})

/** As of a former recording: its segment has a partial transcript, and failed. */
const partialSegment = (setup: TranscriptionSetup): string => {
  const id = setup.meeting(row(1))
  const [segment] = setup.segments(id)
  const version = { id: 'partial', segmentId: segment?.id ?? '', text: 'Fine', model: 'model' }
  const by = { accountId: 'account-1', accountName: 'Test account', requestId: null, notice: null }
  setup.store.meetings.saveTranscription(
    { ...version, ...by, flags: [], at: 1 },
    { state: 'failed', flags: [] },
    [],
  )
  return id
}

test('transcribes a partial transcript again, which is not a suggestion', async () => {
  const setup = await transcriptionSetup()
  setup.answer = () => text('Fine words.')
  const id = partialSegment(setup)
  const want = { accountId: 'account-1', prompt: '', hotwords: [] }
  await setup.transcription.again(id, { type: 'all' }, want)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(1)
  expect(setup.segments(id)).toMatchObject([{ state: 'done', error: null }])
  expect(setup.texts(id)).toEqual(['Fine words.'])
  expect(setup.store.meetings.withWork()).toEqual([])
})

test('a retry of a partial transcript for which another pass was requested replaces it', async () => {
  const setup = await transcriptionSetup()
  setup.answer = () => text('Fine words.')
  const id = partialSegment(setup)
  const want = { accountId: 'account-1', prompt: '', hotwords: [] }
  setup.store.meetings.wantAgain([setup.segments(id)[0]?.id ?? ''], want)
  setup.transcription.fill(id)
  await setup.finish(id)
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(1)
  expect(setup.segments(id)).toMatchObject([{ state: 'done' }])
  expect(setup.texts(id)).toEqual(['Fine words.'])
  expect(setup.store.meetings.withWork()).toEqual([])
})

test('continues segments that failed for their account once it is ready, unless dismissed', async () => {
  const setup = await transcriptionSetup()
  const at = (code: ErrorCode, accountId = 'account-1'): string => {
    const id = setup.meeting(row(1), { accountId })
    const error = { code, message: '', retriable: false, at: 1 }
    setup.store.meetings.updateSegment(setup.segments(id)[0]?.id ?? '', { state: 'failed', error })
    return id
  }
  const [id, other] = [at('KEY_REJECTED'), at('CONTENT_BLOCKED')]
  const elsewhere = at('KEY_REJECTED', 'account-2')
  const dismissed = at('KEY_REJECTED')
  setup.store.meetings.dismissFailures(dismissed)
  setup.transcription.resume()
  await setup.quiet()
  expect(setup.requests).toEqual([])
  setup.transcription.accountReady('account-1')
  await setup.finish(id)
  expect(setup.segments(id)).toMatchObject([{ state: 'done', error: null }])
  expect(setup.requests).toHaveLength(1)
  for (const one of [other, elsewhere, dismissed])
    expect(setup.segments(one)).toMatchObject([{ state: 'failed' }])
})

test('a meeting moved to another account in the middle continues there', async () => {
  const setup = await transcriptionSetup({ places: 2 })
  const account = setup.store.accounts.get('account-1')
  if (account) setup.store.accounts.put({ ...account, id: 'account-2', name: 'Other account' })
  setup.answer = () => ({ ...text('Good words.'), delayMs: 15 })
  const id = setup.meeting(row(16))
  setup.transcription.nudge(id)
  await new Promise((resolve) => setTimeout(resolve, 40))
  setup.store.meetings.update(id, { accountId: 'account-2' })
  setup.transcription.fill(id)
  const sent = setup.requests.length
  await setup.finish(id)
  const ids = setup.segments(id).map((one) => one.id)
  const versions = setup.store.meetings.versions(id, ids)
  expect(versions).toHaveLength(16)
  expect(setup.requests).toHaveLength(16)
  const first = versions.filter(({ accountId }) => accountId === 'account-1')
  // Those in flight returned; nothing was sent there afterwards.
  expect(first.length).toBeLessThanOrEqual(sent + 2)
  expect(first.length).toBeLessThan(16)
})

test('transcribes segments added during transcription too, with all slots', async () => {
  const setup = await transcriptionSetup({ places: 3 })
  setup.answer = (one) => ({ ...text(`Words of ${one.audio}.`), delayMs: 10 })
  const id = setup.meeting(row(2))
  setup.transcription.nudge(id)
  await new Promise((resolve) => setTimeout(resolve, 15))
  const more = row(40)
    .slice(2)
    .map((one, at) => ({
      id: `more-${String(at)}`,
      channel: 0,
      startMs: one.startMs ?? 0,
      endMs: one.endMs ?? 0,
      forcedStart: false,
      forcedEnd: false,
      voiced: [],
    }))
  for (let at = 0; at < more.length; at += 10) {
    setup.store.meetings.addSegments(id, 0, more.slice(at, at + 10), more[at + 9]?.endMs ?? 410_000)
    setup.transcription.nudge(id)
  }
  await setup.finish(id)
  expect(setup.requests).toHaveLength(40)
  expect(setup.maxInFlight()).toBe(3)
  expect(setup.texts(id)).toEqual(
    setup.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
})

test('alternates short meetings with an earlier long one, and prefers a live recording', async () => {
  const setup = await transcriptionSetup({ places: 1 })
  setup.answer = () => ({ ...text('Good words.'), delayMs: 5 })
  const long = setup.meeting(row(30))
  const short = Array.from({ length: 6 }, () => setup.meeting(row(1)))
  for (const id of [long, ...short]) setup.transcription.nudge(id)
  await eventually(() => {
    for (const id of short) expect(setup.segments(id)[0]?.state).toBe('done')
  })
  expect(setup.segments(long).filter(({ state }) => state === 'done').length).toBeLessThan(10)
  const live = setup.meeting(row(5), { state: 'recording' })
  setup.transcription.nudge(live)
  const before = setup.requests.length
  await eventually(() => {
    expect(setup.segments(live).every(({ state }) => state === 'done')).toBe(true)
  })
  // One of the others was in flight, and the next may be.
  expect(setup.requests.length - before).toBeLessThanOrEqual(7)
  await setup.finish(long)
  expect(setup.segments(long).every(({ state }) => state === 'done')).toBe(true)
})
