import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameMs, known } from '../../../../../../src/main/platform/audio/voice-activity/frames.ts'
import type { Frames } from '../../../../../../src/main/platform/audio/voice-activity/frames.ts'
import { rules } from '../../../../../../src/main/platform/audio/voice-activity/rules.ts'
import {
  type FoundSegment,
  findSegments,
} from '../../../../../../src/main/platform/audio/voice-activity/segmenter.ts'
import type { Place } from '../../../../../../src/main/platform/audio/voice-activity/segmenter.ts'

const start: Place = { ms: 0, forced: false }

/** Returns frames with these probabilities from the beginning, all processed by the detector. */
const framesOf = (voice: readonly number[], power: readonly number[] = voice): Frames => ({
  first: 0,
  voice,
  power,
  known: voice.map(() => known.detector),
})

/** Returns alternating speech and silence of these lengths in frames, speech first. */
const talk = (...lengths: readonly number[]): number[] =>
  lengths.flatMap((length, i) => Array.from({ length }, () => (i % 2 === 0 ? 0.9 : 0.05)))

const find = (frames: Frames): readonly FoundSegment[] =>
  findSegments(frames, start, frames.voice.length * frameMs).segments

/** Any mixture of speech, short noises, uncertainty and pauses, up to five minutes. */
const meetings = fc
  .array(
    fc.tuple(
      fc.constantFrom(0.95, 0.6, 0.45, 0.3, 0.02),
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1_200 })),
      fc.integer({ min: 0, max: 1_000 }),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((spans) =>
    spans.flatMap(([voice, length, seed]) =>
      Array.from({ length }, (_, i) => ({
        voice,
        power: voice * (1 + ((seed + i * 7919) % 97) / 97),
      })),
    ),
  )
  .map((list) =>
    framesOf(
      list.map((frame) => frame.voice),
      list.map((frame) => frame.power),
    ),
  )

const settings = { numRuns: 150, seed: 20_261_121 }

test('returns segments in order, within limits, with speech, overlapping only at forced cuts', () => {
  fc.assert(
    fc.property(meetings, (frames) => {
      const endMs = frames.voice.length * frameMs
      const segments = find(frames)
      for (const [i, segment] of segments.entries()) {
        const before = segments[i - 1]
        expect(Number.isInteger(segment.startMs) && Number.isInteger(segment.endMs)).toBe(true)
        expect(segment.endMs - segment.startMs).toBeLessThanOrEqual(rules.capMs)
        expect(segment.endMs).toBeLessThanOrEqual(endMs)
        const voicedMs = segment.voiced.reduce((sum, span) => sum + span.endMs - span.startMs, 0)
        expect(voicedMs).toBeGreaterThanOrEqual(rules.minVoiceMs)
        let inside = segment.startMs
        for (const span of segment.voiced) {
          expect(span.startMs).toBeGreaterThanOrEqual(inside)
          expect(span.endMs).toBeGreaterThan(span.startMs)
          inside = span.endMs
        }
        expect(inside).toBeLessThanOrEqual(segment.endMs)
        if (!before) continue
        expect(segment.startMs).toBeGreaterThan(before.startMs)
        const overlap = before.endMs - segment.startMs
        if (segment.forcedStart) expect(overlap).toBe(rules.overlapMs)
        else expect(overlap).toBeLessThanOrEqual(0)
        if (segment.forcedStart) expect(before.forcedEnd).toBe(true)
      }
    }),
    settings,
  )
})

test('covers every speech frame once, twice at forced cuts, except under 250 ms alone', () => {
  fc.assert(
    fc.property(meetings, (frames) => {
      const segments = find(frames)
      const wrong: string[] = []
      let alone = 0
      let lastVoice = -Infinity
      let behind = 0
      for (let i = 0; i < frames.voice.length; i++) {
        if ((frames.voice[i] ?? 0) < rules.voice) continue
        while ((segments[behind]?.endMs ?? Infinity) < i * frameMs) behind++
        const held = segments
          .slice(behind, behind + 3)
          .filter(({ startMs, endMs }) => startMs <= i * frameMs && endMs >= (i + 1) * frameMs)
        // Two segments are separated by at least the minimum pause: speech left out before it was evaluated separately.
        if ((i - lastVoice) * frameMs > 1_500 || held.length > 0) alone = 0
        lastVoice = i
        if (held.length === 0) alone++
        if (alone * frameMs >= rules.minVoiceMs) wrong.push(`frame ${i} is in no segment`)
        const seam = held.length === 2 && held[0]?.forcedEnd && held[1]?.forcedStart
        if (held.length > 1 && !seam) wrong.push(`frame ${i} is in ${held.length} segments`)
      }
      expect(wrong).toEqual([])
    }),
    settings,
  )
})

test('finds the same segments with any block sizes and restart points', () => {
  fc.assert(
    fc.property(
      meetings,
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }),
      (frames, steps) => {
        const whole = find(frames)
        const found: FoundSegment[] = []
        let place = start
        let end = 0
        for (let turn = 0; end < frames.voice.length; turn++) {
          end = Math.min(frames.voice.length, end + (steps[turn % steps.length] ?? 1))
          // Only the data that a search restarted at this position would receive.
          const first = Math.floor(place.ms / frameMs)
          const cut = (list: ArrayLike<number>): number[] => Array.from(list).slice(first, end)
          const held = { first, voice: cut(frames.voice), power: cut(frames.power) }
          const last = end === frames.voice.length ? end * frameMs : null
          const finding = findSegments(
            { ...held, known: held.voice.map(() => known.detector) },
            place,
            last,
          )
          expect(finding.place.ms).toBeGreaterThanOrEqual(place.ms)
          place = finding.place
          found.push(...finding.segments)
        }
        expect(found).toEqual(whole)
        expect(place.ms).toBe(frames.voice.length * frameMs)
      },
    ),
    settings,
  )
})

test('cuts continuous speech in the middle of its longest pause of the last ten seconds', () => {
  // A short pause at 20 s and a longer one at 24 s.
  const frames = framesOf(talk(625, 6, 125, 16, 400))
  const [first, second] = find(frames)
  expect(first?.forcedEnd).toBe(false)
  expect(first?.endMs).toBeGreaterThan(756 * frameMs)
  expect(first?.endMs).toBeLessThan(772 * frameMs)
  expect(second?.startMs).toBe(first?.endMs)
})

test('prefers an earlier comfortable pause to the closure of a consonant', () => {
  const frames = framesOf(talk(500, 14, 280, 3, 400))
  const [first] = find(frames)
  expect(first?.forcedEnd).toBe(false)
  expect(first?.endMs).toBeLessThan(514 * frameMs)
})

test('cuts speech without pauses at its quietest point, flags it, and overlaps the cut', () => {
  const voice = talk(1_500)
  const power = voice.map((_, i) => (i === 850 ? 0.01 : 0.5))
  const [first, second] = find(framesOf(voice, power))
  expect(first).toMatchObject({ forcedStart: false, forcedEnd: true })
  expect(Math.abs((first?.endMs ?? 0) - 850.5 * frameMs)).toBeLessThanOrEqual(frameMs)
  expect(second?.forcedStart).toBe(true)
  expect(second?.startMs).toBe((first?.endMs ?? 0) - rules.overlapMs)
})

test('ends a long segment at a pause between sentences, a short one at a longer pause', () => {
  // 12 s, a pause of 0.74 s, 2 s, a pause of 1.8 s, 2 s.
  expect(find(framesOf(talk(375, 23, 63)))).toHaveLength(2)
  expect(find(framesOf(talk(63, 56, 63)))).toHaveLength(1)
  expect(find(framesOf(talk(63, 70, 63)))).toHaveLength(2)
})

test('ignores a click, and advances the position on silence', () => {
  const frames = framesOf([...talk(0, 100, 5, 200)])
  const finding = findSegments(frames, start, null)
  expect(finding.segments).toEqual([])
  expect(finding.place.ms).toBe(frames.voice.length * frameMs - rules.padBeforeMs)
})

test('asks the detector about gate-only speech before it becomes a segment', () => {
  const voice = talk(0, 30, 100, 60)
  const frames = { ...framesOf(voice), known: voice.map(() => known.guess) }
  const { questions } = findSegments(frames, start, null)
  expect(questions).toEqual([{ from: 30, to: 42 }])
})

test('reports speech that has not ended, with the end of its last sentence', () => {
  const open = (voice: readonly number[]) => findSegments(framesOf(voice), start, null)
  const talking = open(talk(100))
  expect(talking.segments).toEqual([])
  expect(talking.speech).toEqual({ startMs: 0, endMs: 100 * frameMs, sentenceEndMs: null })
  expect(open(talk(100, 10)).speech).toMatchObject({
    endMs: Math.min(110 * frameMs, 100 * frameMs + rules.padAfterMs),
    sentenceEndMs: 100 * frameMs,
  })
  // A sentence has ended even though the speaker went on; a short pause is between words.
  expect(open(talk(100, 10, 5)).speech).toMatchObject({ sentenceEndMs: 100 * frameMs })
  expect(open(talk(100, 5, 100)).speech).toMatchObject({ sentenceEndMs: null })
  // A click is not speech, and a pause of seconds ends it.
  expect(open(talk(2)).speech).toBeNull()
  const over = open(talk(100, 200))
  expect(over.segments).toHaveLength(1)
  expect(over.speech).toBeNull()
})
