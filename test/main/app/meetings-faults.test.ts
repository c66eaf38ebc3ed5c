import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Line, Segment } from '../../../src/shared/model/meeting.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import {
  accountAt,
  hangMs,
  transcribedMeeting,
  importFile,
  interleaved,
  patiently,
  waveOf,
} from './meeting-setup.ts'
import { record } from './meeting-recorder.ts'
import {
  refusing,
  transcriptReply,
  serviceKey,
  startTranscriptionService,
  textOfAudio,
  type TranscriptionService,
} from './meeting-service.ts'
import { talkInTurns } from './meeting-talk.ts'

let app: TestApp
let service: TranscriptionService
let accountId: string

beforeEach(async () => {
  service = await startTranscriptionService()
  app = await testApp()
  accountId = await accountAt(app, service.url, serviceKey)
})
afterEach(async () => {
  await app.remove()
  await service.close()
})

const rate = 16_000
const loop = 'and then again '.repeat(12).trim()

interface Transcript {
  readonly lines: readonly Line[]
  readonly segments: readonly Segment[]
}

const transcriptOf = (id: string): Promise<Transcript> =>
  app.call('meetings.lines', { id, limit: 2000 })

/** Expects text for every segment, and an engine for every line. */
function expectWhole({ lines, segments }: Transcript): void {
  expect(segments.map(({ state }) => state)).toEqual(segments.map(() => 'done'))
  for (const segment of segments)
    expect(lines.some(({ segmentId }) => segmentId === segment.id)).toBe(true)
  const texts = new Set(service.requests.map(({ audioHash }) => textOfAudio(audioHash)))
  for (const line of lines) expect(texts).toContain(line.text)
  expect(new Set(lines.map(({ text }) => text)).size).toBe(segments.length)
  expectNamed(lines)
}

function expectNamed(lines: readonly Line[]): void {
  for (const line of lines)
    expect(line).toMatchObject({ accountName: 'Bench', model: 'bench-ears-1' })
}

test(
  'loses nothing with rate limits, garbage, a refused segment and a loop, and fills all gaps',
  async () => {
    const garbage = [
      { headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' },
      { headers: { 'content-type': 'application/json' }, body: '{"id":"x","text":"half of an' },
      { headers: { 'content-type': 'application/json' }, body: '{"id":"x","text":{}}' },
    ]
    let refused = ''
    let looping: Buffer | null = null
    let repaired = false
    let bursts = 0
    service.answer = ({ audioHash, samples, place, times }) => {
      if (repaired) return undefined
      // A burst at the beginning and one in the middle: five refusals each.
      if ((place === 1 || place === 9) && times <= 5) {
        bursts += 1
        return refusing(429, '1302', { 'retry-after': '0' })
      }
      if (place === 4) {
        refused = audioHash
        return refusing(400, '1301')
      }
      if (place >= 6 && place <= 8 && times === 1) return garbage[place - 6]
      if (place === 11) looping = samples
      // Its halves are transcribed as well, and loop too.
      return looping?.includes(samples) ? transcriptReply(loop) : undefined
    }
    const [mine, theirs] = await talkInTurns(20, rate)
    const id = await importFile(app, 'talk.wav', waveOf([mine, theirs], rate), accountId)
    const { completeness } = await transcribedMeeting(app, id)
    expect(bursts).toBeGreaterThanOrEqual(5)
    expect(completeness).toMatchObject({ segments: 20, failed: 1, waiting: 0 })
    expect(completeness.flagged).toBe(1)
    const first = await transcriptOf(id)
    const hole = first.segments.find(({ state }) => state === 'failed')
    expect(hole).toMatchObject({ error: { code: 'CONTENT_BLOCKED' }, versionId: null })
    expect(first.lines.some(({ segmentId }) => segmentId === hole?.id)).toBe(false)
    const flagged = first.segments.filter(({ state }) => state === 'flagged')
    expect(flagged).toMatchObject([{ flags: expect.arrayContaining(['loop']) }])
    for (const segment of first.segments)
      if (segment !== hole)
        expect(first.lines.some((line) => line.segmentId === segment.id)).toBe(true)
    expectNamed(first.lines)
    // Context is sent, and never from doubtful text.
    expect(service.requests.some(({ prompt }) => prompt.includes('We heard'))).toBe(true)
    expect(service.requests.filter(({ prompt }) => prompt.includes('again'))).toEqual([])

    repaired = true
    await app.call('meetings.fill', { id })
    const filled = await transcribedMeeting(app, id)
    expect(filled.completeness).toMatchObject({ failed: 0, waiting: 0 })
    expect(service.requests.at(-1)?.audioHash).toBe(refused)
    const requested = await app.call('meetings.again', { id, which: { type: 'flagged' } })
    expect(requested.segments).toBe(flagged.length)
    const proposed = await patiently(async () => {
      const { versions } = await app.call('meetings.versions', { id })
      const found = versions.filter(({ state }) => state === 'proposed')
      expect(found).toHaveLength(flagged.length)
      return found
    })
    await app.call('meetings.decide', {
      id,
      versionIds: proposed.map((version) => version.id),
      accept: true,
    })
    expectWhole(await transcriptOf(id))
    console.log(
      `${service.requests.length} calls for ${completeness.segments} segments: ${bursts} refusals for the pace, 3 garbled answers, 1 refused piece, ${flagged.length} flagged; after filling ${filled.completeness.failed} holes`,
    )
  },
  hangMs,
)

test(
  'continues a recording while the service is down, and fills the gaps when it is back',
  async () => {
    const [mine, theirs] = await talkInTurns(18, rate)
    const both = interleaved([mine, theirs])
    const third = Math.floor(mine.length / 3)
    await app.call('accounts.activate', { id: accountId })
    const { meeting } = await app.call('meetings.begin', {
      roles: ['mic', 'others'],
      sampleRate: rate,
      labels: ['Microphone', 'System'],
      accountId,
    })
    const { id } = meeting
    const recorded = (part: number): Promise<number> =>
      record(
        app,
        id,
        both.slice(part * third * 2, part < 2 ? (part + 1) * third * 2 : undefined),
        part * third,
      )
    /** Resolves when this many segments were found: the recording can then continue. */
    const found = (minSegments: number, isSettled: (segments: readonly Segment[]) => boolean) =>
      patiently(async () => {
        const { segments } = await transcriptOf(id)
        if (segments.length < minSegments || !isSettled(segments))
          throw new Error(`not settled: ${segments.map(({ state }) => state).join(' ')}`)
        return segments
      })
    await recorded(0)
    const before = await found(4, (all) => all.every(({ state }) => state === 'done'))
    await service.down()
    expect(await recorded(1)).toBe(2 * third)
    const during = await found(before.length + 4, (all) =>
      all.every(({ state }) => state !== 'inflight'),
    )
    const outageMs = (third * 1000) / rate
    const waiting = during.filter(
      ({ state, startMs }) => state === 'pending' && startMs >= outageMs - 1000,
    )
    expect(waiting.length).toBeGreaterThanOrEqual(3)
    // An unreachable network uses up no attempts.
    expect(waiting.every(({ attempts }) => attempts === 0)).toBe(true)
    const { connection } = await app.call('app.info', {})
    expect(connection).toMatchObject({ state: 'offline' })
    expect(connection.waiting).toBeGreaterThanOrEqual(3)
    const shown = await app.call('meetings.get', { id })
    expect(shown.meeting.state).toBe('recording')
    expect(shown.meeting.completeness.waiting).toBeGreaterThanOrEqual(waiting.length)
    await service.back()
    const frames = await recorded(2)
    const recordedMs = Math.round((frames * 1000) / rate)
    await app.call('meetings.stop', { id, recordedMs })
    // It continues automatically, without a request.
    const { completeness } = await transcribedMeeting(app, id)
    expect(completeness).toMatchObject({
      recordedMs,
      writtenMs: recordedMs,
      failed: 0,
      segments: 18,
    })
    expectWhole(await transcriptOf(id))
    expect(new Set(service.requests.map(({ audioHash }) => audioHash)).size).toBe(18)
    const after = await app.call('app.info', {})
    expect(after.connection).toMatchObject({ state: 'online', waiting: 0 })
    console.log(
      `18 segments: ${before.length} heard before the outage, ${waiting.length} waited in it, all heard after it with ${service.requests.length} calls`,
    )
  },
  hangMs,
)
