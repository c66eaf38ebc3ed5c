import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { failure, transcriptionSetup, row, text, type Question } from './transcription-setup.ts'

const startOf = ({ sound }: Question): number => Number(sound.split(' ')[1])

test('with no network everything waits without using up tries, and goes on together when the account can be reached', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(30))
  desk.answer = (one) => {
    // The network goes in the middle third.
    if (desk.asked.length === 10) desk.down = true
    return text(`Words of ${one.sound}.`)
  }
  desk.hearing.nudge(id)
  await desk.quiet()
  for (let n = 0; n < 12; n++) await desk.tick()
  const waiting = desk.segments(id).filter(({ state }) => state === 'pending')
  expect(waiting.length).toBeGreaterThan(15)
  expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true)
  expect(desk.waiting.at(-1)).toBe(waiting.length)
  expect(desk.store.meetings.get(id)?.error).toBeNull()
  desk.down = false
  desk.answer = (one) => text(`Words of ${one.sound}.`)
  desk.hearing.accountReady('account-1')
  // No timer has to pass.
  await desk.quiet()
  expect(desk.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(desk.asked).toHaveLength(30)
  expect(desk.waiting.at(-1)).toBe(0)
})

test('a service that fails for everybody is probed, not flooded: nothing becomes a hole', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(30))
  let failing = false
  let failed = 0
  desk.answer = () => {
    if (desk.asked.length > 10 && failed < 14) failing = true
    if (failed >= 14) failing = false
    if (!failing) return text('Good words.')
    failed += 1
    return failure(503, 'overloaded')
  }
  desk.hearing.nudge(id)
  await desk.finish(id, 100)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(Array(30).fill('done'))
})

test('a service that asks for fewer requests gets fewer, and its Retry-After is kept', async () => {
  const desk = await transcriptionSetup({ places: 2 })
  const id = desk.meeting(row(12))
  let refusals = 0
  const times = new Map<string, number[]>()
  desk.answer = (one) => {
    times.set(one.sound, [...(times.get(one.sound) ?? []), desk.now])
    // Far more refusals than a segment has tries.
    if (one.sound.startsWith('0 31500 ') && refusals < 20) {
      refusals += 1
      return failure(429, '1302', { 'retry-after': '45' })
    }
    return text('Good words.')
  }
  desk.hearing.nudge(id)
  await desk.finish(id)
  const tried = times.get('0 31500 41500') ?? []
  const pauses = tried.slice(1).map((at, n) => at - (tried[n] ?? 0))
  expect(refusals).toBe(20)
  expect(pauses.every((pause) => pause >= 45_000)).toBe(true)
  expect(desk.segments(id).every(({ state, attempts }) => state === 'done' && attempts === 0)).toBe(
    true,
  )
})

test('garbage is asked for again, five times at most, while the others go on', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(12))
  const hopeless = '0 52500 62500'
  const garbage = [
    { headers: { 'content-type': 'text/html' }, body: '<html><title>Log in</title></html>' },
    { headers: { 'content-type': 'application/json' }, body: '{"id":"x"' },
    { headers: { 'content-type': 'application/json' }, body: '{"id":"x","text":5}' },
    {
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: {"type":"transcript.text.delta","delta":"half a',
    },
  ]
  const seen = new Map<string, number>()
  desk.answer = ({ sound }) => {
    const times = (seen.get(sound) ?? 0) + 1
    seen.set(sound, times)
    if (sound === hopeless)
      return { headers: { 'content-type': 'application/json' }, body: '{"id":"x","text":{}}' }
    const bad = startOf({ sound, prompt: '', hotwords: [] }) % 21_000 === 0 && times === 1
    return bad ? (garbage[seen.size % garbage.length] ?? text('')) : text('Good words.')
  }
  desk.hearing.nudge(id)
  await desk.finish(id, 200)
  const hole = desk.segments(id).find(({ startMs }) => startMs === 52_500)
  expect(hole).toMatchObject({ state: 'failed', attempts: 5, error: { code: 'MALFORMED_REPLY' } })
  expect(seen.get(hopeless)).toBe(5)
  expect(desk.segments(id).filter(({ state }) => state === 'done')).toHaveLength(11)
  expect(desk.texts(id).every((line) => line === 'Good words.')).toBe(true)
})

test('a rejected key stops the sending at once, is shown, and one probe is enough when it is mended', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(30))
  let rejected = 0
  desk.answer = () => {
    if (desk.asked.length <= 8) return text('Good words.')
    rejected += 1
    return failure(401, '1000')
  }
  desk.hearing.nudge(id)
  await desk.quiet()
  // What was on its way at that moment, and nothing after it.
  expect(rejected).toBeLessThanOrEqual(4)
  const left = desk.segments(id).filter(({ state }) => state === 'pending')
  expect(left).toHaveLength(22)
  expect(left.every(({ attempts }) => attempts === 0)).toBe(true)
  expect(desk.store.meetings.get(id)?.error).toMatchObject({ code: 'KEY_REJECTED' })
  const before = desk.asked.length
  desk.hearing.accountReady('account-1')
  await desk.quiet()
  expect(desk.asked).toHaveLength(before + 1)
  desk.answer = () => text('Good words.')
  desk.hearing.accountReady('account-1')
  await desk.quiet()
  expect(desk.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(desk.store.meetings.get(id)?.error).toBeNull()
})

test('without a key nothing is sent, and everything waits', async () => {
  const desk = await transcriptionSetup()
  desk.keyError = new AppError('NO_KEY', 'no key')
  const id = desk.meeting(row(5))
  desk.hearing.nudge(id)
  await desk.quiet()
  expect(desk.asked).toHaveLength(0)
  expect(desk.store.meetings.get(id)?.error).toMatchObject({ code: 'NO_KEY' })
  expect(
    desk.segments(id).every(({ state, attempts }) => state === 'pending' && attempts === 0),
  ).toBe(true)
  desk.keyError = null
  desk.hearing.fill(id)
  await desk.quiet()
  expect(desk.segments(id).every(({ state }) => state === 'done')).toBe(true)
})

test('a restart in the middle of everything loses nothing and sends nothing that was answered', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(20))
  desk.answer = (one) => ({ ...text(`Words of ${one.sound}.`), delayMs: 15 })
  desk.hearing.nudge(id)
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    await desk.restart()
  }
  await desk.finish(id)
  expect(desk.texts(id)).toEqual(
    desk.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
  const readings = desk.store.meetings.readings(
    id,
    desk.segments(id).map((one) => one.id),
  )
  expect(readings).toHaveLength(20)
  // Only what was on its way at a stop is sent once more.
  expect(desk.asked.length).toBeLessThanOrEqual(20 + 3 * 4)
})

test('a row that says it is on its way at the start waits again', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(2))
  const [first] = desk.segments(id)
  desk.store.meetings.updateSegment(first?.id ?? '', { state: 'inflight', attempts: 1 })
  desk.hearing.resume()
  await desk.finish(id)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(['done', 'done'])
})

test('a stretch without words is an answer: it is not sent twice, not even after a restart', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(3))
  desk.answer = ({ sound }) =>
    sound.startsWith('0 10500') ? text('There is no speech in the audio.') : text('Good words.')
  desk.hearing.nudge(id)
  await desk.finish(id)
  await desk.restart()
  desk.hearing.fill(id)
  await desk.quiet()
  expect(desk.asked).toHaveLength(3)
  expect(desk.segments(id).map(({ state }) => state)).toEqual(['done', 'silent', 'done'])
  expect(desk.texts(id)).toEqual(['Good words.', 'Good words.'])
})

test('what is deleted while it is heard is stopped', async () => {
  const desk = await transcriptionSetup()
  const id = desk.meeting(row(8))
  desk.answer = () => ({ ...text('Good words.'), hang: true })
  desk.hearing.nudge(id)
  // Two lanes of four: both wait for the end of an answer.
  await eventually(() => expect(desk.asked).toHaveLength(2))
  desk.store.items.remove([id], desk.now)
  await desk.hearing.forget([id])
  const sent = desk.asked.length
  desk.hearing.nudge(id)
  await desk.quiet()
  expect(desk.asked).toHaveLength(sent)
  expect(
    desk.segments(id).every(({ state, attempts }) => state === 'pending' && attempts === 0),
  ).toBe(true)
})
