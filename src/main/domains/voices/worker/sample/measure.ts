import FFT from 'fft.js'
import { transcriptionRate } from '../../../../../shared/model/meeting.ts'
import { frameMs } from '../../../../platform/audio/voice-activity/frames.ts'
import { clippingOf } from './clipping.ts'
import { findSpeakers, type SpeakersFound } from './speakers.ts'
import { speechPositions, rangesOf, type SpeechFrames } from './sample-speech.ts'
import { timbreAt, hopSamples } from './timbre.ts'

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

/** Pitch of a frame. */
interface Pitch {
  /** Hz; 0 if nothing repeats. */
  readonly hz: number
  /** Strength of the repetition, 0 to 1. */
  readonly strength: number
  /** The same for the rest after everything at `hz` and its multiples is removed. */
  readonly second: { readonly hz: number; readonly strength: number }
}

const lowest = 65
const highest = 400
const windowSamples = 1024
const size = 2 * windowSamples

/** Returns the pitch at these frames, which are on the same grid as those of the timbre. Samples from -1 to 1 at 16 kHz. */
function pitchAt(samples: Float32Array, positions: readonly number[]): readonly Pitch[] {
  const repeats = createRepeats()
  const found: Pitch[] = []
  for (let i = 0; i < positions.length; i += 2) {
    const pair = [positions[i] ?? 0, positions[i + 1] ?? 0].map(
      (position) => position * hopSamples - windowSamples / 2,
    )
    const firsts = repeats(pair.map((from) => windowAt(samples, from)))
    const seconds = repeats(
      firsts.map(({ hz, strength }, n) =>
        strength > voicedFrom ? without(samples, pair[n] ?? 0, hz) : silence,
      ),
    )
    for (const [n, first] of firsts.entries())
      if (i + n < positions.length) found.push({ ...first, second: seconds[n] ?? none })
  }
  return found
}

/** Returns a window of the audio, minus its mean. */
function windowAt(samples: Float32Array, from: number): Float64Array {
  const cut = Float64Array.from({ length: windowSamples }, (_, i) => samples[from + i] ?? 0)
  const mean = cut.reduce((sum, sample) => sum + sample, 0) / windowSamples
  return cut.map((sample) => sample - mean)
}

/** Strength from which a frame is voiced. */
const voicedFrom = 0.5
const none = { hz: 0, strength: 0 }
const silence = new Float64Array(windowSamples)

/** Strength from which a second pitch belongs to another voice, if it is no simple fraction or multiple of the first. */
const secondFrom = 0.55
const highestSecond = 370
const related = [1, 2, 3, 4, 1 / 2, 1 / 3, 1 / 4, 3 / 2, 2 / 3] as const

/** Whether a frame contains two voices. */
const hasSecond = ({ hz, second }: Pitch): boolean =>
  second.strength > secondFrom &&
  second.hz > 0 &&
  second.hz < highestSecond &&
  related.every((part) => Math.abs(second.hz / hz / part - 1) >= 0.07)

/** Subtracts the audio one period earlier: everything that repeats at that pitch is removed. */
function without(samples: Float32Array, from: number, hz: number): Float64Array {
  const lag = transcriptionRate / hz
  const whole = Math.floor(lag)
  const part = lag - whole
  return Float64Array.from({ length: windowSamples }, (_, i) => {
    const at = from + i
    const before = (samples[at - whole] ?? 0) * (1 - part) + (samples[at - whole - 1] ?? 0) * part
    return (samples[at] ?? 0) - before
  })
}

/** Pitch without its second pitch. */
type Repeat = Pick<Pitch, 'hz' | 'strength'>

/**
 * Finds the periods at which two segments repeat best: their autocorrelations, corrected for the window. Two real signals pass
 * through one complex transform, which takes half the time.
 */
function createRepeats(): (pair: readonly Float64Array[]) => readonly Repeat[] {
  const fourier = new FFT(size)
  const window = Float64Array.from(
    { length: windowSamples },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSamples),
  )
  // Real and imaginary parts in turn.
  const [input, output] = [new Float64Array(2 * size), new Float64Array(2 * size)]
  const correlate = (one: Float64Array, other: Float64Array): readonly Float64Array[] => {
    input.fill(0)
    for (let i = 0; i < windowSamples; i++) {
      input[2 * i] = (one[i] ?? 0) * (window[i] ?? 0)
      input[2 * i + 1] = (other[i] ?? 0) * (window[i] ?? 0)
    }
    fourier.transform(output, input)
    for (let i = 0; i < size; i++) {
      const mirror = (size - i) % size
      const [x = 0, y = 0] = [output[2 * i], output[2 * i + 1]]
      const [u = 0, v = 0] = [output[2 * mirror], output[2 * mirror + 1]]
      input[2 * i] = ((x + u) ** 2 + (y - v) ** 2) / 4
      input[2 * i + 1] = ((y + v) ** 2 + (u - x) ** 2) / 4
    }
    // Power spectra are even: the inverse of the first is real, and of the second imaginary.
    fourier.transform(output, input)
    const part = (offset: 0 | 1): Float64Array =>
      Float64Array.from({ length: windowSamples }, (_, i) => output[2 * i + offset] ?? 0)
    return [part(0), part(1)]
  }
  const whole = new Float64Array(windowSamples).fill(1)
  const [fading = whole] = correlate(whole, whole)
  return (pair) =>
    correlate(pair[0] ?? silence, pair[1] ?? silence).map((found) => repeatIn(found, fading))
}

const [shortest, longest] = [
  Math.floor(transcriptionRate / highest),
  Math.ceil(transcriptionRate / lowest),
]

function repeatIn(found: Float64Array, fading: Float64Array): Repeat {
  const whole = found[0] ?? 0
  if (whole < 1e-6) return none
  const at = (lag: number): number =>
    ((found[lag] ?? 0) / whole) * ((fading[0] ?? 1) / (fading[lag] ?? 1))
  let best = 0
  for (let lag = shortest; lag <= longest; lag++) best = Math.max(best, at(lag))
  // The shortest period that repeats nearly as well: its multiples repeat, too.
  for (let lag = shortest; lag <= longest; lag++) {
    const here = at(lag)
    if (here < best * 0.9 || here < at(lag - 1) || here < at(lag + 1)) continue
    const [left, right] = [at(lag - 1), at(lag + 1)]
    const bend = left - 2 * here + right
    const exact = bend === 0 ? lag : lag + (0.5 * (left - right)) / bend
    return { hz: transcriptionRate / exact, strength: Math.min(1, here) }
  }
  return none
}
