import { toPcm } from '../../../../../system/audio/pcm.ts'
import type { Resampling } from '../../../../../system/audio/resample.ts'
import { rangeOf, type TakeAudio } from './inspect-audio.ts'

/** Segment to be joined. */
export interface JoinSegment {
  readonly id: string
  readonly path: string
  readonly audio: TakeAudio
  /** Milliseconds of silence after it. */
  readonly pauseMs: number
}

export interface JoinOptions {
  readonly crossfadeMs: number
  readonly matchLoudness: boolean
}

/** Positions of everything, in samples of the result. */
interface JoinPlan {
  /** Hertz: the highest rate of the takes, so that nothing is lost. */
  readonly rate: number
  readonly samples: number
  readonly segments: readonly {
    readonly start: number
    readonly length: number
    /** Samples by which the next segment overlaps this one, and samples of silence after it; one of them is 0. */
    readonly overlap: number
    readonly pause: number
    /** Factor for its samples. */
    readonly gain: number
  }[]
}

/** Maximum peak of a sample: one decibel below full scale. */
const ceiling = 10 ** (-1 / 20)
/** Maximum gain: anything quieter is noise. */
const maxGain = 10 ** (20 / 20)

/** Plans the result: lengths, positions and gains are known before the first sample is read. */
export function planJoin(segments: readonly JoinSegment[], options: JoinOptions): JoinPlan {
  const rate = segments.reduce((max, { audio }) => Math.max(max, audio.rate), 1)
  const samplesOf = (ms: number): number => Math.round((ms * rate) / 1000)
  const lengths = segments.map(({ audio }) =>
    Math.round(((audio.to - audio.from) * rate) / audio.rate),
  )
  const gains = gainsOf(segments, options.matchLoudness)
  let at = 0
  const placed = segments.map((segment, index) => {
    const length = lengths[index] ?? 0
    const next = lengths[index + 1]
    const pause = next === undefined ? 0 : samplesOf(segment.pauseMs)
    const overlap =
      next === undefined || pause > 0
        ? 0
        : Math.min(samplesOf(options.crossfadeMs), Math.floor(length / 2), Math.floor(next / 2))
    const start = at
    at += length + pause - overlap
    return { start, length, overlap, pause, gain: gains[index] ?? 1 }
  })
  return { rate, samples: at, segments: placed }
}

/** Matches all segments to the loudness of the middle one; lower if one of them would clip. */
function gainsOf(segments: readonly JoinSegment[], match: boolean): readonly number[] {
  const known = segments.flatMap(({ audio }) => (audio.loudness === null ? [] : [audio.loudness]))
  if (!match || known.length === 0) return segments.map(() => 1)
  const target = known.toSorted((a, b) => a - b)[Math.floor((known.length - 1) / 2)] ?? 0
  const wanted = segments.map(({ audio }) =>
    audio.loudness === null ? 1 : Math.min(maxGain, 10 ** ((target - audio.loudness) / 20)),
  )
  const loudest = segments.reduce(
    (max, { audio }, at) => Math.max(max, audio.peak * (wanted[at] ?? 1)),
    0,
  )
  const down = loudest > ceiling ? ceiling / loudest : 1
  return wanted.map((gain) => gain * down)
}

/** Seconds over which a segment without an overlap is faded in and out, so that its edges do not click. */
const edgeSeconds = 0.005

/**
 * Returns the result as 16-bit samples, block by block: never more in memory than a block and an overlap. Overlapping segments
 * are crossfaded with equal power, because they are uncorrelated.
 */
export async function* joinAudio(
  segments: readonly JoinSegment[],
  plan: JoinPlan,
  resampling: Resampling,
): AsyncGenerator<Int16Array<ArrayBuffer>> {
  let held: Float32Array<ArrayBuffer> = new Float32Array(0)
  for (const [index, segment] of segments.entries()) {
    const place = plan.segments[index]
    if (!place) return
    const before = plan.segments[index - 1]?.overlap ?? 0
    const edge = Math.min(Math.round(edgeSeconds * plan.rate), Math.floor(place.length / 4))
    const tailFrom = place.length - place.overlap
    const tail = new Float32Array(place.overlap)
    let at = 0
    for await (const samples of resampled(segment, plan.rate, place.length, resampling)) {
      for (let i = 0; i < samples.length; i++) {
        const where = at + i
        let value = (samples[i] ?? 0) * place.gain
        if (where < before) {
          const turn = ((where + 0.5) / before) * (Math.PI / 2)
          value = value * Math.sin(turn) + (held[where] ?? 0) * Math.cos(turn)
        } else if (before === 0 && where < edge) value *= (where + 0.5) / edge
        const left = place.length - where
        if (place.overlap === 0 && left <= edge) value *= (left - 0.5) / edge
        samples[i] = value
      }
      const out = Math.max(0, Math.min(samples.length, tailFrom - at))
      if (out > 0) yield toPcm(samples.subarray(0, out))
      tail.set(samples.subarray(out), Math.max(0, at + out - tailFrom))
      at += samples.length
    }
    held = tail
    if (place.pause > 0) yield* silence(place.pause)
  }
}

/** Samples of silence per block. */
const silentBlock = 48_000

function* silence(samples: number): Generator<Int16Array<ArrayBuffer>> {
  for (let left = samples; left > 0; left -= silentBlock)
    yield new Int16Array(Math.min(left, silentBlock))
}

/** Returns the voice of a take at the rate of the result: exactly `length` samples. */
async function* resampled(
  { path, audio }: JoinSegment,
  rate: number,
  length: number,
  resampling: Resampling,
): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const resampler = resampling(audio.rate, rate)
  let given = 0
  const trimToLength = (samples: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
    const fitting = samples.subarray(0, length - given)
    given += fitting.length
    // The caller writes into it: decoded data may be shared.
    return fitting.slice()
  }
  try {
    for await (const samples of rangeOf(path, audio.from, audio.to))
      yield trimToLength(resampler.push(samples))
    yield trimToLength(resampler.end())
    // A file that shrank since it was analyzed must not shift what follows.
    if (given < length) yield new Float32Array(length - given)
  } finally {
    resampler.free()
  }
}
