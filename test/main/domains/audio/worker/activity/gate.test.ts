import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  createGatedDetector,
  createLiveDetector,
  type VoiceDetector,
} from '../../../../../../src/main/platform/audio/voice-activity/voice-detector.ts'
import {
  frameSamples,
  known,
} from '../../../../../../src/main/platform/audio/voice-activity/frames.ts'
import { createFvad } from '../../../../../../src/main/platform/audio/voice-activity/fvad.ts'
import { createGate } from '../../../../../../src/main/platform/audio/voice-activity/gate.ts'
import {
  loadSilero,
  type Silero,
} from '../../../../../../src/main/platform/audio/voice-activity/silero.ts'
import type { FoundSegment } from '../../../../../../src/main/platform/audio/voice-activity/segmenter.ts'
import { evaluateSegments } from '../../../../../fixtures/segment-verdicts.ts'
import { speakMeeting, type SpokenMeeting } from '../../../../../fixtures/spoken-meeting.ts'

const modelsDir = join(import.meta.dirname, '../../../../../../resources/models')

/** The detector, with a count of its frames. */
let silero: Silero
let frames = 0

beforeAll(async () => {
  const loaded = await loadSilero(modelsDir)
  if (!loaded)
    throw new Error('The voice activity model is not in place: run `npm run setup` once.')
  silero = {
    lanes(count) {
      const { lanes, run } = loaded.lanes(count)
      return {
        lanes,
        run() {
          frames += count
          return run()
        },
      }
    },
  }
})

/** Returns the segments found in a channel, passed in blocks of 20 s. */
async function foundBy(
  detector: VoiceDetector,
  samples: Int16Array,
): Promise<readonly FoundSegment[]> {
  const whole = new Int16Array(Math.ceil(samples.length / frameSamples) * frameSamples)
  whole.set(samples)
  const found: FoundSegment[] = []
  let place = { ms: 0, forced: false }
  const step = 625 * frameSamples
  for (let at = 0; at < whole.length; at += step) {
    await detector.take(whole.subarray(at, at + step))
    const last = at + step >= whole.length
    const finding = await detector.find(place, last ? Math.round(samples.length / 16) : null)
    place = finding.place
    found.push(...finding.segments)
  }
  detector.free()
  return found
}

/** Returns segments of the gate and of the full detector per channel, and how much audio each processed. */
async function compare(meeting: SpokenMeeting) {
  const out = []
  for (const [channel, samples] of meeting.channels.entries()) {
    frames = 0
    const plain = await foundBy(createLiveDetector(silero, 0), samples)
    const all = frames
    frames = 0
    const gated = await foundBy(await createGatedDetector(silero, 0), samples)
    const turns = meeting.turns.filter((turn) => turn.channel === channel)
    out.push({ plain, gated, turns, checkedShare: frames / all })
  }
  return out
}

const near = (a: number, b: number, ms: number): boolean => Math.abs(a - b) <= ms

test('finds the segments of the full detector in a quiet room with few detector calls', async () => {
  const meeting = await speakMeeting({
    seconds: 30,
    seed: 5,
    snr: null,
    goesOn: 0.5,
    pauses: [350, 1_500],
  })
  for (const { plain, gated, turns, checkedShare } of await compare(meeting)) {
    expect(plain.length).toBeGreaterThan(0)
    expect(gated).toHaveLength(plain.length)
    for (const [at, segment] of gated.entries()) {
      const other = plain[at]
      expect(near(segment.startMs, other?.startMs ?? -1, 200)).toBe(true)
      expect(near(segment.endMs, other?.endMs ?? -1, 300)).toBe(true)
    }
    for (const segments of [plain, gated])
      expect(evaluateSegments(segments, turns, 60)).toMatchObject({ uncovered: [], empty: 0 })
    expect(checkedShare).toBeLessThan(0.35)
    console.log(
      `quiet: ${gated.length} segments of both, the detector asked about ${(checkedShare * 100).toFixed(0)} % of the frames`,
    )
  }
})

test('loses nothing that the detector finds in a loud room', async () => {
  const meeting = await speakMeeting({
    seconds: 20,
    seed: 9,
    snr: 10,
    goesOn: 0.5,
    pauses: [350, 1_500],
  })
  for (const { plain, gated, turns, checkedShare } of await compare(meeting)) {
    const missed = (segments: readonly FoundSegment[]): number =>
      evaluateSegments(segments, turns, 150).uncovered.length
    expect(missed(gated)).toBeLessThanOrEqual(missed(plain))
    expect(evaluateSegments(gated, turns, 150).empty).toBeLessThanOrEqual(
      evaluateSegments(plain, turns, 150).empty,
    )
    console.log(
      `10 dB: ${gated.length} segments against ${plain.length}, turns cut into ${missed(gated)} against ${missed(plain)}, the detector asked about ${(checkedShare * 100).toFixed(0)} %`,
    )
  }
})

test('detects silence without the detector, and never treats a tone in noise as a segment', async () => {
  const silence = new Int16Array(frameSamples * 300)
  const gate = createGate(await createFvad())
  expect(new Set(gate.take(silence).map((frame) => frame.known))).toEqual(new Set([known.gate]))
  frames = 0
  expect(await foundBy(await createGatedDetector(silero, 0), silence)).toEqual([])
  expect(frames).toBe(0)
  const beeps = Int16Array.from({ length: frameSamples * 300 }, (_, i) =>
    i % 16_000 < 8000 ? Math.round(6000 * Math.sin((2 * Math.PI * 880 * i) / 16_000)) : (i % 5) - 2,
  )
  expect(await foundBy(createLiveDetector(silero, 0), beeps)).toEqual([])
  expect(await foundBy(await createGatedDetector(silero, 0), beeps)).toEqual([])
})

test('decides with the gate alone without the model, less precisely but losing no turn', async () => {
  const meeting = await speakMeeting({
    seconds: 20,
    seed: 5,
    snr: null,
    goesOn: 0.5,
    pauses: [350, 1_500],
  })
  for (const [channel, samples] of meeting.channels.entries()) {
    const found = await foundBy(await createGatedDetector(null, 0), samples)
    const turns = meeting.turns.filter((turn) => turn.channel === channel)
    expect(evaluateSegments(found, turns, 60)).toMatchObject({ uncovered: [], empty: 0 })
  }
})
