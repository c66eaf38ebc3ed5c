import { expect, test } from 'vitest'
import { eventually } from '../../../fixtures/eventually.ts'
import { failure, transcriptionSetup, row, text } from './transcription-setup.ts'

test('every segment is sent once, in lanes that run side by side, and its words become lines in order', async () => {
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
  // Inside a lane each is told the words before it; only the starts of lanes are not.
  expect(setup.requests.filter(({ prompt }) => prompt === '')).toHaveLength(4)
  expect(setup.store.replies.byItem(id)).toHaveLength(24)
})

test('a segment that always fails is left as a hole, the others go on, and the hole is refilled on request', async () => {
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

test('a meeting that came in by an archive rests over a start, until somebody says go on', async () => {
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

test('a meeting that is given to another account in the middle goes on there', async () => {
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
  // What was on its way came back; nothing was sent there afterwards.
  expect(first.length).toBeLessThanOrEqual(sent + 2)
  expect(first.length).toBeLessThan(16)
})

test('segments that come while others are heard are heard too, by all places', async () => {
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

test('short meetings behind a long one are heard in turn with it, and what is recorded now goes first', async () => {
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
  // One of the others was on its way, and the next may be.
  expect(setup.requests.length - before).toBeLessThanOrEqual(7)
  await setup.finish(long)
  expect(setup.segments(long).every(({ state }) => state === 'done')).toBe(true)
})
