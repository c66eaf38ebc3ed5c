import { frameMs } from '../voice-activity/frames.ts'
import { clippingOf } from './clipping.ts'
import { hasSecond, pitchAt, voicedFrom } from './pitch.ts'
import { findSpeakers, type SpeakersFound } from './speakers.ts'
import { speechPositions, rangesOf, type SpeechFrames } from './speech.ts'
import { timbreAt } from './timbre.ts'

/** Measures of audio. Levels in dB full scale, times in milliseconds. */
export interface Measures {
  readonly durationMs: number
  readonly speech: readonly (readonly [number, number])[]
  /** Milliseconds of speech. */
  readonly spokenMs: number
  /** Level of speech. */
  readonly speechDb: number
  /** Level where there is no speech. */
  readonly noiseDb: number
  readonly peakDb: number
  /** Number of clipped positions, the share of clipped speech samples, and the share of those in runs too long to be repaired. */
  readonly clips: number
  readonly clipped: number
  readonly clippedLong: number
  /** Mean of all samples, -1 to 1. */
  readonly offset: number
  readonly speakers: SpeakersFound
}

/** Measures a sample: `sound` is the original (-1 to 1), `heard` the same at 16 kHz with its speech. */
export function measure(
  audio: Float32Array,
  rate: number,
  resampled: Float32Array,
  frames: SpeechFrames,
): Measures {
  const spoken = frames.level.filter((_, i) => frames.speaks[i])
  const quiet = quietLevels(frames)
  return {
    durationMs: Math.round((audio.length / rate) * 1000),
    speech: rangesOf(frames),
    spokenMs: Math.round(spoken.length * frameMs),
    speechDb: meanLevel(spoken),
    noiseDb: meanLevel(quiet.length > 0 ? quiet : frames.level),
    ...flatTops(audio, rate, spoken.length * frameMs),
    offset: meanOf(audio),
    speakers: speakersIn(resampled, frames),
  }
}

/**
 * Returns levels of frames without speech nearby, as voices fade slowly; without such frames, of the quietest twentieth of all.
 */
function quietLevels({ speaks, level }: SpeechFrames): readonly number[] {
  const quiet = level.filter((_, i) => ![-4, -3, -2, -1, 0, 1, 2].some((off) => speaks[i + off]))
  if (quiet.length >= 10) return quiet
  return level.toSorted((a, b) => a - b).slice(0, Math.max(1, Math.ceil(level.length / 20)))
}

/** Returns the mean of powers, in dB; -100 for none. */
function meanLevel(levels: readonly number[]): number {
  if (levels.length === 0) return -100
  const sum = levels.reduce((total, level) => total + 10 ** (level / 10), 0)
  return 10 * Math.log10(sum / levels.length + 1e-10)
}

/** Maximum length of a peak that can be restored from both sides; a longer one cannot be known. */
const maxClipMs = 2

function flatTops(
  audio: Float32Array,
  rate: number,
  spokenMs: number,
): Pick<Measures, 'peakDb' | 'clips' | 'clipped' | 'clippedLong'> {
  const { clips, runs, samples, peak } = clippingOf(audio)
  const long = runs.reduce((sum, [from, to]) => {
    const length = to - from
    return length > (maxClipMs * rate) / 1000 ? sum + length : sum
  }, 0)
  return {
    peakDb: 20 * Math.log10(peak + 1e-5),
    clips,
    clipped: samples / Math.max(1, (spokenMs * rate) / 1000, samples),
    clippedLong: samples === 0 ? 0 : long / samples,
  }
}

function meanOf(audio: Float32Array): number {
  let sum = 0
  for (const sample of audio) sum += sample
  return sum / Math.max(1, audio.length)
}

/** Every second frame: half the time, and no pair of voices was distinguished less reliably. */
const step = 2
/** Half a minute of speech is more than a finished sample contains. */
const maxVoicedFrames = 1600

function speakersIn(resampled: Float32Array, frames: SpeechFrames): SpeakersFound {
  const positions = speechPositions(frames, step).slice(0, maxVoicedFrames)
  const pitches = pitchAt(resampled, positions)
  const voiced = positions.flatMap((at, i) => {
    const pitch = pitches[i]
    return pitch && pitch.strength > voicedFrom && pitch.hz > 0 ? [{ at, pitch }] : []
  })
  const timbres = timbreAt(
    resampled,
    voiced.map(({ at }) => at),
  )
  return findSpeakers(
    voiced.flatMap(({ at, pitch }, i) => {
      const timbre = timbres[i]
      return timbre ? [{ at, timbre, hz: pitch.hz, second: hasSecond(pitch) }] : []
    }),
  )
}
