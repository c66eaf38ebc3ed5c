import { expect, test } from 'vitest'
import { eventually } from '../../../fixtures/eventually.ts'
import { failure, transcriptionSetup, row, text } from './transcription-setup.ts'

test('every segment is sent once, in lanes that run side by side, and its words become lines in order', async () => {
  const desk = await transcriptionSetup()
  desk.answer = (one) => ({ ...text(`Words of ${one.sound}.`), delayMs: 20 })
  const id = desk.meeting(row(24))
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.asked).toHaveLength(24)
  expect(new Set(desk.asked.map(({ sound }) => sound)).size).toBe(24)
  expect(desk.most()).toBe(4)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(Array(24).fill('done'))
  expect(desk.texts(id)).toEqual(
    desk.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
  // Inside a lane each is told the words before it; only the starts of lanes are not.
  expect(desk.asked.filter(({ prompt }) => prompt === '')).toHaveLength(4)
  expect(desk.store.replies.byItem(id)).toHaveLength(24)
})

test('a segment that always fails is left as a hole, the others go on, and the hole is refilled on request', async () => {
  const desk = await transcriptionSetup({ places: 2 })
  const bad = '0 21000 31000'
  desk.answer = (one) => (one.sound === bad ? failure(400, '1301') : text('Fine words.'))
  const id = desk.meeting(row(6))
  desk.hearing.nudge(id)
  await desk.finish(id)
  const hole = desk.segments(id).find(({ startMs }) => startMs === 21_000)
  expect(hole).toMatchObject({ state: 'failed', error: { code: 'CONTENT_BLOCKED' } })
  expect(desk.segments(id).filter(({ state }) => state === 'done')).toHaveLength(5)
  desk.answer = () => text('Refilled words.')
  desk.hearing.fill(id)
  await desk.finish(id)
  expect(desk.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(desk.texts(id)[2]).toBe('Refilled words.')
})

test('a meeting that came in by an archive rests over a start, until somebody says go on', async () => {
  const desk = await transcriptionSetup()
  desk.answer = () => text('Words.')
  const id = desk.meeting(row(3))
  const error = { code: 'LEFT_UNFINISHED', message: '', retriable: true, at: 1 } as const
  desk.store.meetings.update(id, { error })
  desk.hearing.resume()
  desk.hearing.nudge(id)
  desk.hearing.accountReady('account-1')
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(desk.asked).toEqual([])
  desk.hearing.fill(id)
  await desk.finish(id)
  expect(desk.asked).toHaveLength(3)
  expect(desk.store.meetings.get(id)?.error).toBeNull()
})

test('a meeting that is given to another account in the middle goes on there', async () => {
  const desk = await transcriptionSetup({ places: 2 })
  const account = desk.store.accounts.get('account-1')
  if (account) desk.store.accounts.put({ ...account, id: 'account-2', name: 'Other account' })
  desk.answer = () => ({ ...text('Good words.'), delayMs: 15 })
  const id = desk.meeting(row(16))
  desk.hearing.nudge(id)
  await new Promise((resolve) => setTimeout(resolve, 40))
  desk.store.meetings.update(id, { accountId: 'account-2' })
  desk.hearing.fill(id)
  const sent = desk.asked.length
  await desk.finish(id)
  const ids = desk.segments(id).map((one) => one.id)
  const readings = desk.store.meetings.readings(id, ids)
  expect(readings).toHaveLength(16)
  expect(desk.asked).toHaveLength(16)
  const first = readings.filter(({ accountId }) => accountId === 'account-1')
  // What was on its way came back; nothing was sent there afterwards.
  expect(first.length).toBeLessThanOrEqual(sent + 2)
  expect(first.length).toBeLessThan(16)
})

test('segments that come while others are heard are heard too, by all places', async () => {
  const desk = await transcriptionSetup({ places: 3 })
  desk.answer = (one) => ({ ...text(`Words of ${one.sound}.`), delayMs: 10 })
  const id = desk.meeting(row(2))
  desk.hearing.nudge(id)
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
    desk.store.meetings.addSegments(id, 0, more.slice(at, at + 10), more[at + 9]?.endMs ?? 410_000)
    desk.hearing.nudge(id)
  }
  await desk.finish(id)
  expect(desk.asked).toHaveLength(40)
  expect(desk.most()).toBe(3)
  expect(desk.texts(id)).toEqual(
    desk.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
})

test('short meetings behind a long one are heard in turn with it, and what is recorded now goes first', async () => {
  const desk = await transcriptionSetup({ places: 1 })
  desk.answer = () => ({ ...text('Good words.'), delayMs: 5 })
  const long = desk.meeting(row(30))
  const short = Array.from({ length: 6 }, () => desk.meeting(row(1)))
  for (const id of [long, ...short]) desk.hearing.nudge(id)
  await eventually(() => {
    for (const id of short) expect(desk.segments(id)[0]?.state).toBe('done')
  })
  expect(desk.segments(long).filter(({ state }) => state === 'done').length).toBeLessThan(10)
  const live = desk.meeting(row(5), { state: 'recording' })
  desk.hearing.nudge(live)
  const before = desk.asked.length
  await eventually(() => {
    expect(desk.segments(live).every(({ state }) => state === 'done')).toBe(true)
  })
  // One of the others was on its way, and the next may be.
  expect(desk.asked.length - before).toBeLessThanOrEqual(7)
  await desk.finish(long)
  expect(desk.segments(long).every(({ state }) => state === 'done')).toBe(true)
})
