import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import {
  failure,
  transcriptionSetup,
  row,
  text,
  type ReceivedRequest,
} from './transcription-setup.ts'

const startOf = ({ audio }: ReceivedRequest): number => Number(audio.split(' ')[1])

test('waits offline without using up attempts, and continues when the account is reachable', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(30))
  setup.answer = (one) => {
    // The network fails in the middle third.
    if (setup.requests.length === 10) setup.down = true
    return text(`Words of ${one.audio}.`)
  }
  setup.transcription.nudge(id)
  await setup.quiet()
  for (let n = 0; n < 12; n++) await setup.tick()
  const waiting = setup.segments(id).filter(({ state }) => state === 'pending')
  expect(waiting.length).toBeGreaterThan(15)
  expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true)
  expect(setup.waiting.at(-1)).toBe(waiting.length)
  expect(setup.store.meetings.get(id)?.error).toBeNull()
  setup.down = false
  setup.answer = (one) => text(`Words of ${one.audio}.`)
  setup.transcription.accountReady('account-1')
  // No timer needs to fire.
  await setup.quiet()
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(setup.requests).toHaveLength(30)
  expect(setup.waiting.at(-1)).toBe(0)
})

test('probes a provider that fails for every segment without flooding it, and leaves no gap', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(30))
  let failing = false
  let failed = 0
  setup.answer = () => {
    if (setup.requests.length > 10 && failed < 14) failing = true
    if (failed >= 14) failing = false
    if (!failing) return text('Good words.')
    failed += 1
    return failure(503, 'overloaded')
  }
  setup.transcription.nudge(id)
  await setup.finish(id, 100)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(Array(30).fill('done'))
})

test('sends fewer requests to a provider that limits them, and respects its Retry-After', async () => {
  const setup = await transcriptionSetup({ places: 2 })
  const id = setup.meeting(row(12))
  let refusals = 0
  const times = new Map<string, number[]>()
  setup.answer = (one) => {
    times.set(one.audio, [...(times.get(one.audio) ?? []), setup.now])
    // Far more rate limits than a segment has attempts.
    if (one.audio.startsWith('0 31500 ') && refusals < 20) {
      refusals += 1
      return failure(429, '1302', { 'retry-after': '45' })
    }
    return text('Good words.')
  }
  setup.transcription.nudge(id)
  await setup.finish(id)
  const tried = times.get('0 31500 41500') ?? []
  const pauses = tried.slice(1).map((at, n) => at - (tried[n] ?? 0))
  expect(refusals).toBe(20)
  expect(pauses.every((pause) => pause >= 45_000)).toBe(true)
  expect(
    setup.segments(id).every(({ state, attempts }) => state === 'done' && attempts === 0),
  ).toBe(true)
})

test('requests a garbage response again, up to five times, while the others continue', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(12))
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
  setup.answer = ({ audio }) => {
    const times = (seen.get(audio) ?? 0) + 1
    seen.set(audio, times)
    if (audio === hopeless)
      return { headers: { 'content-type': 'application/json' }, body: '{"id":"x","text":{}}' }
    const bad = startOf({ audio, prompt: '', hotwords: [] }) % 21_000 === 0 && times === 1
    return bad ? (garbage[seen.size % garbage.length] ?? text('')) : text('Good words.')
  }
  setup.transcription.nudge(id)
  await setup.finish(id, 200)
  const hole = setup.segments(id).find(({ startMs }) => startMs === 52_500)
  expect(hole).toMatchObject({ state: 'failed', attempts: 5, error: { code: 'MALFORMED_REPLY' } })
  expect(seen.get(hopeless)).toBe(5)
  expect(setup.segments(id).filter(({ state }) => state === 'done')).toHaveLength(11)
  expect(setup.texts(id).every((line) => line === 'Good words.')).toBe(true)
})

test('a rejected key stops sending at once and is shown; one probe suffices after the fix', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(30))
  let rejected = 0
  setup.answer = () => {
    if (setup.requests.length <= 8) return text('Good words.')
    rejected += 1
    return failure(401, '1000')
  }
  setup.transcription.nudge(id)
  await setup.quiet()
  // Those in flight at that moment, and none after it.
  expect(rejected).toBeLessThanOrEqual(4)
  const left = setup.segments(id).filter(({ state }) => state === 'pending')
  expect(left).toHaveLength(22)
  expect(left.every(({ attempts }) => attempts === 0)).toBe(true)
  expect(setup.store.meetings.get(id)?.error).toMatchObject({ code: 'KEY_REJECTED' })
  const before = setup.requests.length
  setup.transcription.accountReady('account-1')
  await setup.quiet()
  expect(setup.requests).toHaveLength(before + 1)
  setup.answer = () => text('Good words.')
  setup.transcription.accountReady('account-1')
  await setup.quiet()
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
  expect(setup.store.meetings.get(id)?.error).toBeNull()
})

test('sends nothing without a key, and everything waits', async () => {
  const setup = await transcriptionSetup()
  setup.keyError = new AppError('NO_KEY', 'no key')
  const id = setup.meeting(row(5))
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(0)
  expect(setup.store.meetings.get(id)?.error).toMatchObject({ code: 'NO_KEY' })
  expect(
    setup.segments(id).every(({ state, attempts }) => state === 'pending' && attempts === 0),
  ).toBe(true)
  const later = setup.meeting(row(1))
  setup.transcription.nudge(later)
  await setup.quiet()
  expect(setup.store.meetings.get(later)?.error).toMatchObject({ code: 'NO_KEY' })
  setup.keyError = null
  setup.transcription.fill(id)
  await setup.quiet()
  for (const one of [id, later]) {
    expect(setup.segments(one).every(({ state }) => state === 'done')).toBe(true)
    expect(setup.store.meetings.get(one)?.error).toBeNull()
  }
})

test('shows a problem of an account only in meetings that wait for it', async () => {
  const setup = await transcriptionSetup()
  const { meetings, items } = setup.store
  const error = (id: string) => meetings.get(id)?.error ?? null
  const finished = setup.meeting(row(1))
  setup.transcription.nudge(finished)
  await setup.finish(finished)
  setup.answer = () => failure(401, '1000')
  const [waiting, stopped, binned] = [1, 2, 3].map(() => setup.meeting(row(2))) as [
    string,
    string,
    string,
  ]
  for (const id of [waiting, stopped, binned]) setup.transcription.nudge(id)
  await setup.quiet()
  // Restored from Trash, or imported without speech.
  for (const id of [finished, setup.meeting([])]) {
    setup.transcription.nudge(id)
    expect(error(id)).toBeNull()
  }
  for (const id of [waiting, stopped, binned])
    expect(error(id)).toMatchObject({ code: 'KEY_REJECTED' })
  await setup.transcription.stop(stopped)
  expect(error(stopped)).toBeNull()
  await setup.transcription.forget([binned])
  items.remove([binned], setup.now)

  setup.answer = () => text('Good words.')
  setup.transcription.accountReady('account-1')
  await setup.finish(waiting)
  expect(error(waiting)).toBeNull()
  items.restore([binned], setup.now)
  setup.transcription.nudge(binned)
  expect(error(binned)).toBeNull()
  await setup.finish(binned)
})

test('moving a second pass to another account clears the problem of the first', async () => {
  const setup = await transcriptionSetup()
  const account = setup.store.accounts.get('account-1')
  if (account) setup.store.accounts.put({ ...account, id: 'account-2', name: 'Other account' })
  const id = setup.meeting(row(1))
  setup.transcription.nudge(id)
  await setup.finish(id)
  const want = { prompt: 'A plan', hotwords: [] }
  setup.answer = () => failure(401, '1000')
  await setup.transcription.again(id, { type: 'all' }, { ...want, accountId: 'account-2' })
  await setup.quiet()
  expect(setup.store.meetings.get(id)?.error).toMatchObject({ code: 'KEY_REJECTED' })
  setup.answer = () => failure(503, '1')
  await setup.transcription.again(id, { type: 'all' }, { ...want, accountId: 'account-1' })
  expect(setup.store.meetings.get(id)?.error).toBeNull()
})

test('a restart at any point loses nothing and sends no answered segment again', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(20))
  setup.answer = (one) => ({ ...text(`Words of ${one.audio}.`), delayMs: 15 })
  setup.transcription.nudge(id)
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
    await setup.restart()
  }
  await setup.finish(id)
  expect(setup.texts(id)).toEqual(
    setup.segments(id).map((one) => `Words of 0 ${one.startMs} ${one.endMs}.`),
  )
  const versions = setup.store.meetings.versions(
    id,
    setup.segments(id).map((one) => one.id),
  )
  expect(versions).toHaveLength(20)
  // Only segments in flight at a stop are sent once more.
  expect(setup.requests.length).toBeLessThanOrEqual(20 + 3 * 4)
})

test('a row marked as in flight at startup waits again', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(2))
  const [first] = setup.segments(id)
  setup.store.meetings.updateSegment(first?.id ?? '', { state: 'inflight', attempts: 1 })
  setup.transcription.resume()
  await setup.finish(id)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(['done', 'done'])
})

test('a segment without speech counts as answered: it is not sent twice, even after a restart', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(3))
  setup.answer = ({ audio }) =>
    audio.startsWith('0 10500') ? text('There is no speech in the audio.') : text('Good words.')
  setup.transcription.nudge(id)
  await setup.finish(id)
  await setup.restart()
  setup.transcription.fill(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(3)
  expect(setup.segments(id).map(({ state }) => state)).toEqual(['done', 'silent', 'done'])
  expect(setup.texts(id)).toEqual(['Good words.', 'Good words.'])
})

test('stops the transcription of deleted meetings', async () => {
  const setup = await transcriptionSetup()
  const id = setup.meeting(row(8))
  setup.answer = () => ({ ...text('Good words.'), hang: true })
  setup.transcription.nudge(id)
  // Two queues of four: both wait for the end of a response.
  await eventually(() => expect(setup.requests).toHaveLength(2))
  setup.store.items.remove([id], setup.now)
  await setup.transcription.forget([id])
  const sent = setup.requests.length
  setup.transcription.nudge(id)
  await setup.quiet()
  expect(setup.requests).toHaveLength(sent)
  expect(
    setup.segments(id).every(({ state, attempts }) => state === 'pending' && attempts === 0),
  ).toBe(true)
})
