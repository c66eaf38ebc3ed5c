import { transcriptionRate } from '../../../../../shared/model/meeting.ts'
import { rules } from '../../../../platform/audio/voice-activity/rules.ts'
import { createLoudness, decibels } from '../../../../platform/audio/voice-activity/loudness.ts'
import { frameMs, frameSamples } from '../../../../platform/audio/voice-activity/frames.ts'
import type { Silero } from '../../../../platform/audio/voice-activity/silero.ts'
import { toPcm } from '../../../../../system/audio/pcm.ts'

/** Frames of 32 ms: whether each contains speech, and its level in dB full scale (without hum and offset). */
export interface SpeechFrames {
  readonly speaks: readonly boolean[]
  readonly level: readonly number[]
}

/** Maximum length (ms) of a break that still belongs to a range of speech. */
const joinMs = 200
/** Without a detector: speech is this much above the quietest tenth, and not far below the loudest. */
const aboveQuiet = 12
const belowLoud = 35
const audible = -60

/** Detects speech in a sample (-1 to 1 at 16 kHz); without a detector, only the level decides. */
export async function findSpeech(
  samples: Float32Array,
  silero: Silero | null,
): Promise<SpeechFrames> {
  const count = Math.floor(samples.length / frameSamples)
  const pcm = toPcm(samples)
  const loudness = createLoudness()
  const level = Array.from({ length: count }, (_, i) => decibels(loudness(pcm, i * frameSamples)))
  if (!silero) return { speaks: byLoudness(level), level }
  const { lanes, run } = silero.lanes(1)
  const speaks: boolean[] = []
  let before = false
  for (let i = 0; i < count; i++) {
    lanes[0]?.put(pcm, i * frameSamples)
    const [voice = 0] = await run()
    before = voice >= (before ? rules.silence : rules.voice) && (level[i] ?? 0) > audible
    speaks.push(before)
  }
  return { speaks, level }
}

function byLoudness(level: readonly number[]): readonly boolean[] {
  const sorted = level.toSorted((a, b) => a - b)
  const quiet = sorted[Math.floor(sorted.length / 10)] ?? 0
  const loud = sorted[Math.floor(sorted.length * 0.95)] ?? 0
  return level.map((one) => one > audible && one > quiet + aboveQuiet && one > loud - belowLoud)
}

/** Returns ranges of speech in milliseconds, in order. */
export function rangesOf({ speaks }: SpeechFrames): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  for (const [i, speaking] of speaks.entries()) {
    if (!speaking) continue
    const [start, end] = [i * frameMs, (i + 1) * frameMs]
    const last = found.at(-1)
    if (last && start - last[1] <= joinMs) last[1] = end
    else found.push([start, end])
  }
  return found.map(([start, end]) => [Math.round(start), Math.round(end)])
}

/** Returns every `step`th 10 ms frame within frames that contain speech. */
export function speechPositions({ speaks }: SpeechFrames, step: number): readonly number[] {
  const positions: number[] = []
  const perFrame = frameSamples / (transcriptionRate / 100)
  const count = Math.floor(speaks.length * perFrame)
  for (let position = 0; position < count; position += step)
    if (speaks[Math.floor(position / perFrame)]) positions.push(position)
  return positions
}
