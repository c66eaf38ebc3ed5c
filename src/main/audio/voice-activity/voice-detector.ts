import { warmUpFrames, askDetector } from './run-detector.ts'
import { frameSamples, known } from './frames.ts'
import type { FrameRange } from './frames.ts'
import { holdFrames } from './held-frames.ts'
import type { HeldFrames } from './held-frames.ts'
import { createFvad } from './fvad.ts'
import { createGate } from './gate.ts'
import { doubts } from './speech-islands.ts'
import { createLoudness } from './loudness.ts'
import { findSegments } from './segmenter.ts'
import type { Finding, Place } from './segmenter.ts'
import type { Silero } from './silero.ts'

/** Processes one channel from a frame on and finds its segments. */
export interface VoiceDetector {
  /** Processes whole frames of 16-bit samples at 16 kHz, one range after the other. */
  take(samples: Int16Array): Promise<void>
  /** Finds segments from a position on; `endMs` closes an open one. */
  find(place: Place, endMs: number | null): Promise<Finding>
  /** Drops frames that are no longer needed. */
  dropBefore(frame: number): void
  free(): void
}

/** Runs the detector on every frame. */
export function createLiveDetector(silero: Silero, first: number): VoiceDetector {
  const frames = holdFrames(first)
  const loudness = createLoudness()
  const { lanes, run } = silero.lanes(1)
  return {
    async take(samples) {
      for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
        lanes[0]?.put(samples, at)
        const [voice = 0] = await run()
        frames.push({ voice, power: loudness(samples, at), known: known.detector })
      }
    },
    find: (place, endMs) => Promise.resolve(findSegments(frames, place, endMs)),
    dropBefore: (frame) => frames.dropBefore(frame),
    free: () => {},
  }
}

/** Maximum rounds of detector checks, after which the known results must suffice: each round answers all open checks. */
const maxRounds = 64

/**
 * Runs the gate on every frame, and the detector only where it decides: on short and doubtful sounds, at the beginning of each
 * segment until enough voice is confirmed, and around cuts between words. Without a detector the gate decides alone.
 */
export async function createGatedDetector(
  silero: Silero | null,
  first: number,
): Promise<VoiceDetector> {
  const fvad = await createFvad()
  const gate = createGate(fvad)
  const frames = holdFrames(first)
  const audio = holdAudio(first)

  async function ask(ranges: readonly FrameRange[]): Promise<void> {
    if (silero && ranges.length > 0)
      await askDetector(silero, audio.held(), ranges, (frame, voice) => frames.learn(frame, voice))
  }

  return {
    async take(samples) {
      const from = frames.first + frames.voice.length
      audio.push(samples)
      for (const frame of gate.take(samples)) frames.push(frame)
      await ask(doubts(frames, from))
    },
    async find(place, endMs) {
      for (let round = 0; ; round++) {
        const finding = findSegments(frames, place, endMs)
        if (!silero || finding.questions.length === 0 || round === maxRounds) return finding
        await ask(finding.questions.map((question) => widened(frames, question)))
      }
    },
    dropBefore(frame) {
      frames.dropBefore(frame)
      audio.dropBefore(frame - warmUpFrames)
    },
    free: () => fvad.free(),
  }
}

/** Doubles the range of a check if the detector found nothing before it: noise may be long. */
function widened(frames: HeldFrames, question: FrameRange): FrameRange {
  let from = question.from
  while (frames.known[from - 1 - frames.first] === known.detector) from--
  const length = question.from - from
  return { from: question.from, to: Math.max(question.to, question.from + 2 * length) }
}

/** Stores samples at their positions on the meeting's grid. */
function holdAudio(first: number): {
  push(samples: Int16Array): void
  held(): { readonly samples: Int16Array; readonly first: number }
  dropBefore(frame: number): void
} {
  let start = first
  let samples = new Int16Array(0)
  return {
    push(more) {
      const joined = new Int16Array(samples.length + more.length)
      joined.set(samples)
      joined.set(more, samples.length)
      samples = joined
    },
    held: () => ({ samples, first: start }),
    dropBefore(frame) {
      if (frame <= start) return
      samples = samples.slice((frame - start) * frameSamples)
      start = frame
    },
  }
}
