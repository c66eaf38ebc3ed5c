import { spawn } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { killed } from '../../fixtures/killed.ts'
import type { SpeechSegment } from '../../../src/shared/model/speech.ts'
import { fingerprintOf } from '../../../src/main/domains/voices/service/speech/fingerprint.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { inputOf, synthesize, audioReply } from '../../fixtures/speaking-service.ts'
import { testApp } from '../../fixtures/app.ts'
import { speechSetup } from './speech-setup.ts'

const first = 'The quick brown fox jumps over the lazy dog. '
const second = 'Seven silent ships sail south every summer. '
const third = 'Please bring the old wooden chair back home.'
const text = first + second + third

/** Key of the bench's account. */
const key = 'scripted-key-0123456789'

const states = (segments: readonly SpeechSegment[]): readonly string[] =>
  segments.map(({ state }) => state)

test('synthesizes a long text in segments, verifies, joins and saves it', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const speech = await fixture.create(text)
  expect(states(await fixture.segments(speech.id))).toEqual(['idle', 'idle', 'idle'])
  fixture.transcripts.push(first, 'seven ships sail south every summer', third)
  await call('speech.configure', { id: speech.id, settings: { paidRetries: 0 } })
  await call('speech.speak', { id: speech.id })
  const segments = await fixture.settled(speech.id)
  expect(segments.map((segment) => segment.text).join('')).toBe(text)
  expect(fixture.spoken().map(inputOf)).toEqual([first.trim(), second.trim(), third])
  expect(JSON.parse(fixture.spoken()[0]?.body.toString() ?? '')).toMatchObject({
    voice: 'tongtong',
    response_format: 'wav',
    speed: 1,
    volume: 1,
    watermark_enabled: true,
  })
  expect(segments.map(({ take }) => take?.check?.state === 'heard' && take.check.marks)).toEqual([
    [],
    [{ kind: 'missing', from: 6, to: 12, heard: '' }],
    [],
  ])
  const joined = await eventually(async () => {
    const found = (await call('speech.get', { id: speech.id })).speech.joined
    if (!found) throw new Error('not joined yet')
    return found
  })
  expect(joined).toMatchObject({ current: true, missing: 0 })
  const { places } = await call('speech.get', { id: speech.id, places: true })
  expect(places.map(({ pieceId: segmentId }) => segmentId)).toEqual(segments.map(({ id }) => id))
  const ends = places.map(({ startMs }, at) => startMs - (places[at - 1]?.endMs ?? 0))
  expect(ends).toEqual([0, 250, 250])
  const media = await fixture.lectern.app.fetch(
    new Request(`http://127.0.0.1/media/${joined.mediaId}`, { headers: { range: 'bytes=0-3' } }),
    fixture.lectern.page,
  )
  expect([media.status, await media.text()]).toEqual([206, 'RIFF'])
  const saved = await call('speech.export', { id: speech.id, format: 'mp3', language: 'en' })
  expect(saved.media).toMatchObject({ mime: 'audio/mpeg', name: expect.stringMatching(/\.mp3$/) })
  // It is found by its text, and by its title.
  const hits = await eventually(async () => {
    const found = await call('library.search', { query: 'silent ships' })
    if (found.hits.length === 0) throw new Error('not found yet')
    return found.hits
  })
  expect(hits[0]).toMatchObject({
    kind: 'speech',
    itemId: speech.id,
    field: 'piece',
    partId: segments[1]?.id,
  })
})

test('does not pay again for a segment that differs unless the user chose that', async () => {
  const fixture = await speechSetup()
  const speech = await fixture.create(first)
  expect(speech.settings.paidRetries).toBe(0)
  fixture.transcripts.push('over the dog')
  await fixture.lectern.call('speech.speak', { id: speech.id })
  const [segment] = await fixture.settled(speech.id)
  expect(segment).toMatchObject({ state: 'done', takes: 1 })
  expect(segment?.take?.check).toMatchObject({ state: 'heard', heard: 'over the dog' })
  expect(fixture.spoken()).toHaveLength(1)
})

test('retries a segment with missing words up to the limit, and uses the best take', async () => {
  const fixture = await speechSetup()
  const speech = await fixture.create(first, { paidRetries: 2 })
  fixture.transcripts.push(
    'the quick fox',
    'the quick brown fox jumps over the dog',
    'over the dog',
  )
  await fixture.lectern.call('speech.speak', { id: speech.id })
  const [segment] = await fixture.settled(speech.id)
  expect(fixture.spoken()).toHaveLength(3)
  expect(segment).toMatchObject({ state: 'done', takes: 3 })
  expect(segment?.take?.check).toMatchObject({ heard: 'the quick brown fox jumps over the dog' })
  const { takes } = await fixture.lectern.call('speech.takes', {
    id: speech.id,
    segmentId: segment?.id ?? '',
  })
  expect(takes.map(({ check }) => check?.state === 'heard' && check.heard)).toEqual([
    'over the dog',
    'the quick brown fox jumps over the dog',
    'the quick fox',
  ])
  const [newest] = takes
  await fixture.lectern.call('speech.choose', { id: speech.id, takeId: newest?.id ?? '' })
  expect((await fixture.segments(speech.id))[0]?.take?.id).toBe(newest?.id)
})

test('uses audio that cannot be verified, and reports why it is not', async () => {
  const fixture = await speechSetup()
  const { id } = await fixture.create(first + second)
  const denied = { status: 403, body: '{"error":{"code":"1220","message":"not allowed"}}' }
  fixture.transcripts.push(denied, second)
  await fixture.lectern.call('speech.speak', { id })
  const [one, two] = await fixture.settled(id)
  expect(one).toMatchObject({ state: 'done', error: null, takes: 1 })
  expect(one?.take?.check).toMatchObject({
    state: 'unchecked',
    reason: 'failed',
    engine: 'Scripted',
    error: { code: 'PERMISSION_DENIED', service: { code: '1220' } },
  })
  expect(two?.take?.check).toMatchObject({ state: 'heard', score: 1 })
  expect(fixture.spoken()).toHaveLength(2)
})

test('outdates only changed segments, regenerates a single one, and reuses paid takes', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const { id } = await fixture.create(text, { check: false })
  await call('speech.speak', { id })
  const [one, two] = await fixture.settled(id)
  await call('speech.editSegment', {
    id,
    segmentId: two?.id ?? '',
    text: 'Eight silent ships sail north.',
  })
  expect(states(await fixture.segments(id))).toEqual(['done', 'stale', 'done'])
  await call('speech.speak', { id })
  expect(states(await fixture.settled(id))).toEqual(['done', 'done', 'done'])
  expect(fixture.spoken()).toHaveLength(4)
  await call('speech.configure', { id, settings: { voice: { id: 'jam', name: 'Jam' } } })
  expect(states(await fixture.segments(id))).toEqual(['stale', 'stale', 'stale'])
  // With the earlier voice nothing must be paid, and nothing is out of date.
  await call('speech.configure', { id, settings: { voice: { id: 'tongtong', name: 'Tongtong' } } })
  expect(states(await fixture.segments(id))).toEqual(['done', 'done', 'done'])
  await call('speech.speak', { id, segmentIds: [one?.id ?? ''] })
  await fixture.settled(id)
  expect(fixture.spoken()).toHaveLength(5)
  // The same text in another narration reuses stored takes.
  const copy = (await call('speech.duplicate', { id, title: 'Copy' })).speech
  await call('speech.speak', { id: copy.id })
  const reused = await fixture.settled(copy.id)
  expect(reused.map(({ take }) => take?.reused)).toEqual([true, true, true])
  expect(fixture.spoken()).toHaveLength(5)
  // Another text keeps the takes of its unchanged segments.
  await call('speech.setText', {
    id,
    text: `A new beginning of all this here, which is long enough. ${first}${third}`,
  })
  const placed = await fixture.segments(id)
  expect(states(placed)).toEqual(['idle', 'done', 'done'])
  expect(placed[1]?.id).toBe(one?.id)
  // Nothing is lost with other segments: the old ones return when the text is split as before.
  await call('speech.configure', { id, settings: { pieceLength: 1000 }, split: true })
  expect(states(await fixture.segments(id))).toEqual(['idle'])
  await call('speech.configure', { id, settings: { pieceLength: 60 }, split: true })
  const again = await fixture.segments(id)
  expect(states(again)).toEqual(['idle', 'done', 'done'])
  expect(again.map(({ take }) => take?.id)).toEqual(placed.map(({ take }) => take?.id))
})

test('retries or reports rate limits, cut audio and text instead of audio, one by one', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const { id } = await fixture.create(first + second, { check: false })
  const whole = synthesize(first)
  fixture.speaking.push(
    () => ({
      status: 429,
      headers: { 'retry-after': '0' },
      body: '{"error":{"code":"1302","message":"slow"}}',
    }),
    () => audioReply(whole),
    () => ({
      headers: { 'content-type': 'audio/wav' },
      body: '{"error":{"code":"1301","message":"no"}}',
    }),
  )
  await call('speech.speak', { id })
  const segments = await fixture.settled(id)
  expect(states(segments)).toEqual(['done', 'failed'])
  expect(segments[1]?.error).toMatchObject({ code: 'CONTENT_BLOCKED', service: { code: '1301' } })
  expect((await call('speech.get', { id })).speech.counts).toMatchObject({ done: 1, failed: 1 })
  fixture.speaking.push(() => audioReply(synthesize(second).subarray(0, 20_000)))
  await call('speech.speak', { id })
  // Incomplete audio is invalid: it is retried automatically.
  const cut = await eventually(async () => {
    const segment = (await fixture.segments(id))[1]
    if (segment?.nextTryAt === null) throw new Error('not yet')
    return segment
  })
  expect(cut).toMatchObject({ state: 'queued', error: { code: 'STREAM_CUT' }, takes: 0 })
  expect(states(await fixture.settled(id))).toEqual(['done', 'done'])
})

test('names a provider without text to speech, instead of an item that it lacks', async () => {
  const fixture = await speechSetup()
  const { id } = await fixture.create(first, { check: false })
  fixture.speaking.push(() => ({ status: 404, body: '{}' }))
  await fixture.lectern.call('speech.speak', { id })
  const [segment] = await fixture.settled(id)
  expect(segment).toMatchObject({
    state: 'failed',
    error: { code: 'NOT_IMPLEMENTED', params: { problem: 'textToSpeech' } },
  })
})

test('keeps the answer of a provider that lacks only the voice, in narrations and previews', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const { id } = await fixture.create(first, { check: false })
  const noVoice = {
    status: 404,
    body: '{"error":{"code":"1214","message":"no such voice"}}',
  }
  fixture.speaking.push(() => noVoice)
  await call('speech.speak', { id })
  const [segment] = await fixture.settled(id)
  const expected = { code: 'SERVICE_NOT_FOUND', service: { message: 'no such voice' } }
  expect(segment).toMatchObject({ state: 'failed', error: expected })
  await call('voices.list', { from: 'service' })
  fixture.speaking.push(() => noVoice)
  const preview = { voice: 'jam', text: 'Good morning.' }
  expect(await fixture.lectern.raw('voices.preview', preview)).toMatchObject({ error: expected })
  fixture.speaking.push(() => ({ status: 404, body: '<title>404 Not Found</title>' }))
  expect(await fixture.lectern.raw('voices.preview', preview)).toMatchObject({
    error: { code: 'NOT_IMPLEMENTED', params: { problem: 'textToSpeech' } },
  })
})

test('keeps synthesized segments on a stop, and continues with the rest at the next start', async () => {
  const fixture = await speechSetup()
  const { id } = await fixture.create(text, { check: false })
  fixture.speaking.push(
    (input) => audioReply(synthesize(input)),
    () => ({
      hang: true,
      headers: { 'content-type': 'audio/wav' },
      body: synthesize('x').subarray(0, 100),
    }),
  )
  await fixture.lectern.call('speech.speak', { id })
  await eventually(async () => expect(fixture.spoken()).toHaveLength(2))
  await fixture.lectern.call('speech.stop', { id })
  expect(states(await fixture.segments(id))).toEqual(['done', 'idle', 'idle'])
  fixture.speaking.push(() => ({
    hang: true,
    headers: { 'content-type': 'audio/wav' },
    body: synthesize('x').subarray(0, 100),
  }))
  await fixture.lectern.call('speech.speak', { id })
  await eventually(async () => expect(fixture.spoken()).toHaveLength(3))
  await fixture.restart()
  expect(states(await fixture.settled(id))).toEqual(['done', 'done', 'done'])
  expect(fixture.spoken()).toHaveLength(5)
})

test('waits for an unreachable service, reports that, and continues when it is back', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const { id } = await fixture.create(first, { check: false })
  const { port } = new URL(fixture.server.url)
  await fixture.server.close()
  await call('speech.speak', { id })
  const waiting = await eventually(async () => {
    const [segment] = await fixture.segments(id)
    if (!segment || segment.nextTryAt === null) throw new Error('not yet')
    return segment
  })
  expect(waiting).toMatchObject({ state: 'queued', error: { code: 'OFFLINE', retriable: true } })
  expect((await call('speech.get', { id })).speech.waiting).toBe(true)
  const back = await startScriptedServer({ port: Number(port) })
  onTestFinished(() => back.close())
  back.always(audioReply(synthesize(first)))
  await call('accounts.setKey', { id: fixture.accountId, key })
  expect(states(await fixture.settled(id))).toEqual(['done'])
})

test('loses nothing when killed amid fifty segments, and repays at most the running one', async () => {
  const fixture = await speechSetup()
  const { home } = fixture.lectern
  const whole = synthesize(first)
  fixture.speaking.push(...Array.from({ length: 60 }, () => () => audioReply(whole)))
  const lines = Array.from(
    { length: 50 },
    (_, n) => `This is the sentence of number ${n}, said once.`,
  )
  const { id } = await fixture.create(lines.join('\n\n'), { check: false })
  await fixture.lectern.stop()
  const args = [join(import.meta.dirname, 'speech-killed.ts'), home, fixture.accountId, key, id]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  await killed(child)
  const before = fixture.spoken().map(inputOf)
  expect(before.length).toBeGreaterThanOrEqual(20)
  expect(before.length).toBeLessThan(30)
  fixture.lectern = await testApp({ home, keychain: fixture.keychain })
  const segments = await fixture.settled(id)
  expect(segments.map((segment) => segment.text.trim())).toEqual(lines)
  expect(segments.every(({ state, takes }) => state === 'done' && takes === 1)).toBe(true)
  const all = fixture.spoken().map(inputOf)
  const twice = lines.filter((line) => all.filter((input) => input === line).length > 1)
  // The running one may or may not have been sent.
  expect(twice.length).toBeLessThanOrEqual(1)
  expect(twice).toEqual(twice.filter((line) => line === before.at(-1)))
  expect(all).toHaveLength(50 + twice.length)
})

test('reuses complete audio that was not recorded before the end, without paying again', async () => {
  const fixture = await speechSetup()
  const { home } = fixture.lectern
  const { id } = await fixture.create(first, { check: false })
  const [segment] = await fixture.segments(id)
  fixture.speaking.push(() => ({ hang: true, headers: { 'content-type': 'audio/wav' }, body: '' }))
  await fixture.lectern.call('speech.speak', { id })
  await eventually(async () => expect(fixture.spoken()).toHaveLength(1))
  await fixture.lectern.stop()
  const speakingStyle = { voiceId: 'tongtong', speed: 1, volume: 1, watermark: true }
  const print = fingerprintOf(first, { ...speakingStyle, accountId: fixture.accountId })
  const name = `${segment?.id}.1.0.${print.slice(0, 16)}.wav`
  await mkdir(join(home, 'speech'), { recursive: true })
  await writeFile(join(home, 'speech', name), synthesize(first))
  await writeFile(join(home, 'speech', 'left.wav.part'), 'of a joining that was cut off')
  fixture.lectern = await testApp({ home, keychain: fixture.keychain })
  const [done] = await fixture.settled(id)
  expect(done).toMatchObject({ state: 'done', takes: 1, take: { reused: false } })
  expect(fixture.spoken()).toHaveLength(1)
  await eventually(async () => expect(await readdir(join(home, 'speech'))).toEqual([]))
})

test('fails without a key at once, sends nothing, and continues once there is one', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const whole = synthesize(first)
  fixture.speaking.push(...Array.from({ length: 30 }, () => () => audioReply(whole)))
  const lines = Array.from(
    { length: 30 },
    (_, n) => `This is the sentence of number ${n}, said once.`,
  )
  const { id } = await fixture.create(lines.join('\n\n'), { check: false })
  await call('accounts.clearKey', { id: fixture.accountId })
  const eventCount = fixture.lectern.events.length
  await call('speech.speak', { id })
  const failed = await fixture.settled(id)
  expect(failed.map(({ state, error }) => `${state} ${error?.code}`)).toEqual(
    lines.map(() => 'failed NO_KEY'),
  )
  expect(fixture.spoken()).toEqual([])
  // One segment was tried, the others were reported together.
  expect(fixture.lectern.events.length - eventCount).toBeLessThan(30)
  await call('accounts.setKey', { id: fixture.accountId, key })
  await eventually(async () => expect(fixture.spoken()).toHaveLength(30))
  expect(new Set(states(await fixture.settled(id)))).toEqual(new Set(['done']))
})

test('splits a text of thousands of segments in steps, and completes them after a restart', async () => {
  const fixture = await speechSetup()
  const { home } = fixture.lectern
  const long = Array.from({ length: 1200 }, (_, n) => `Sentence ${n} of it.\n\n`).join('')
  const { id } = await fixture.create(long)
  await fixture.lectern.stop()
  // As after an end during the write: the text exists, half of its segments do not.
  const db = new Database(join(home, 'library.db'))
  db.prepare('UPDATE speeches SET placing = ?').run(long)
  db.prepare('DELETE FROM speech_pieces WHERE place % 2 = 0').run()
  db.close()
  fixture.lectern = await testApp({ home, keychain: fixture.keychain })
  const whole = await eventually(async () => {
    const { speech } = await fixture.lectern.call('speech.get', { id })
    if (speech.counts.pieces < 1200) throw new Error('not yet')
    return speech
  })
  expect(whole).toMatchObject({ length: long.length, counts: { pieces: 1200 } })
  const parts: string[] = []
  for (let from = 0; from < 1200; from += 400)
    for (const { text: part } of (
      await fixture.lectern.call('speech.segments', { id, from, limit: 400 })
    ).segments)
      parts.push(part)
  expect(parts.join('')).toBe(long)
})

test('stops a narration moved to Trash, and restores it with its takes', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const { id } = await fixture.create(first, { check: false })
  await call('speech.speak', { id })
  const [segment] = await fixture.settled(id)
  await call('library.remove', { ids: [id] })
  expect((await call('speech.get', { id })).speech.deletedAt).not.toBeNull()
  await call('library.restore', { ids: [id] })
  expect((await fixture.segments(id))[0]?.take?.mediaId).toBe(segment?.take?.mediaId)
  await call('library.purge', { ids: [id] })
  expect(await fixture.lectern.raw('speech.get', { id })).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND' },
  })
})

test('never makes a segment longer than its account accepts, whatever the settings', async () => {
  const fixture = await speechSetup()
  const { call } = fixture.lectern
  const account = (await call('accounts.list', {})).find(({ id }) => id === fixture.accountId)
  if (!account) throw new Error('The account is gone')
  const profile = { ...account.profile, limits: { 'speech.chars': 50 } }
  await call('accounts.update', { id: account.id, profile })
  const { id } = await fixture.create(text, { pieceLength: 280, check: false })
  expect((await fixture.segments(id)).map((segment) => segment.text.trim().length <= 50)).toEqual([
    true,
    true,
    true,
  ])
})
