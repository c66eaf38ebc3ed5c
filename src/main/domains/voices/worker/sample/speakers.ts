import { coefficients } from './timbre.ts'

/** Voiced frame (no breath, no hiss). */
interface VoicedFrame {
  /** Index; frames are 10 ms apart. */
  readonly at: number
  readonly timbre: Float64Array
  /** Hz. */
  readonly hz: number
  /** Another pitch is present at the same time that is no multiple of this one. */
  readonly second: boolean
}

/** Number of speakers. */
export interface SpeakersFound {
  /** `together`: two voices at once; `change`: one after the other; `unsure`: too little speech to decide. */
  readonly found: 'one' | 'together' | 'change' | 'unsure'
  /** Share of frames with a second pitch, 0 to 1. */
  readonly together: number
  /** How much better two voices explain the frames than one, in nats per frame, minus the gain expected by chance. */
  readonly apart: number
  /** Semitones between the two voices. */
  readonly semitones: number
  /** Frames between which the voice changes, if it changes once; otherwise null. */
  readonly change: readonly [last: number, first: number] | null
  /** Longest range in frames that is certainly one speaker's, if there are several; Infinity is the end. */
  readonly part: readonly [from: number, to: number] | null
}

/**
 * Thresholds. Measured on 22 synthetic voices in two languages, on a human one and on both sides of a meeting: of 61 samples of
 * one voice none is classified as two; of 76 in which two speak at once 69 are detected (creaky voices hide the other), of 69 in
 * which one follows the other 56: the missed ones are similar voices with different accents. Phrases of one speaker differ by up
 * to 4.5 semitones. Before and after a moment, one voice reaches 0.1, and 0.44 when it continues 3.5 semitones higher; two
 * different voices begin at 0.45. In any two groups of phrases one voice reaches 0.47, and two different ones begin at 0.9.
 */
const lines = {
  together: 0.065,
  /** Any two groups of phrases. */
  apart: 0.8,
  apartInPitch: 0.55,
  semitones: 5.5,
  /** Before and after a moment. */
  following: 0.45,
} as const

/** Minimum number of frames (20 ms of voice each) for a decision: two seconds. */
const minVoicedFrames = 100
/** Minimum length of a range worth keeping, in frames 10 ms apart. */
const minPartFrames = 300

/** Determines whether more than one person speaks. */
export function findSpeakers(inspections: readonly VoicedFrame[]): SpeakersFound {
  const units = unitsOf(inspections)
  const { sides, ...found } = findSplit(inspections, units)
  if (found.found !== 'together' && found.found !== 'change') return { ...found, part: null }
  return { ...found, part: longestOfOneSpeaker(inspections, units, sides) }
}

interface SpeakerJudgement extends Omit<SpeakersFound, 'part'> {
  /** Voice of each unit. */
  readonly sides: readonly boolean[]
}

function findSplit(inspections: readonly VoicedFrame[], units: readonly Unit[]): SpeakerJudgement {
  const together =
    inspections.filter(({ second }) => second).length / Math.max(1, inspections.length)
  const one = { together, apart: 0, semitones: 0, change: null, sides: units.map(() => true) }
  if (inspections.length < minVoicedFrames) return { ...one, found: 'unsure' }
  const { following, mixed } = bestSplits(units)
  const { apart, semitones } = mixed ?? one
  if (together > lines.together) return { ...one, found: 'together', apart, semitones }
  const mixes = apart > lines.apart || (apart > lines.apartInPitch && semitones > lines.semitones)
  const follows = (following?.apart ?? 0) > lines.following
  const split = mixes ? mixed : follows ? following : null
  if (!split) return { ...one, found: 'one', apart, semitones }
  const { sides } = split
  const turns = sides.flatMap((side, i) => (i > 0 && side !== sides[i - 1] ? [i] : []))
  const at = turns.length === 1 ? units[turns[0] ?? 0]?.from : undefined
  return {
    ...split,
    found: 'change',
    together,
    change: at === undefined ? null : pauseNear(inspections, at),
  }
}

/** Returns the longest run of units of one voice, without a second one, that on its own counts as one speaker's. */
function longestOfOneSpeaker(
  inspections: readonly VoicedFrame[],
  units: readonly Unit[],
  sides: readonly boolean[],
): SpeakersFound['part'] {
  const runs: [first: number, last: number][] = []
  for (const [i, { together }] of units.entries()) {
    if (together > lines.together * 2) continue
    const run = runs.at(-1)
    if (run && run[1] === i - 1 && sides[run[1]] === sides[i]) run[1] = i
    else runs.push([i, i])
  }
  const parts = runs.map(([first, last]) => {
    const [begins, ends] = [units[first]?.from ?? 0, units[last + 1]?.from]
    const from = first === 0 ? 0 : middle(pauseNear(inspections, begins))
    return [from, ends === undefined ? Infinity : middle(pauseNear(inspections, ends))] as const
  })
  const lengthOf = ([from, to]: readonly [number, number]): number =>
    Math.min(to, inspections.at(-1)?.at ?? 0) - from
  const longest = parts
    .filter((part) => lengthOf(part) >= minPartFrames)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return (
    longest.find(([from, to]) => {
      const inside = inspections.filter(({ at }) => at >= from && at <= to)
      return findSplit(inside, unitsOf(inside)).found === 'one'
    }) ?? null
  )
}

const middle = ([last, first]: readonly [number, number]): number => (last + first) / 2

/** Returns the longest pause near the edge of a unit that contains the end of one voice and the beginning of the other. */
function pauseNear(inspections: readonly VoicedFrame[], at: number): readonly [number, number] {
  const index = inspections.findIndex((inspection) => inspection.at >= at)
  let best: readonly [number, number] = [at, at]
  for (
    let i = Math.max(1, index - unit.max);
    i < Math.min(inspections.length, index + unit.min);
    i++
  ) {
    const [before, after] = [inspections[i - 1]?.at ?? at, inspections[i]?.at ?? at]
    if (after - before > best[1] - best[0]) best = [before, after]
  }
  return best
}

/** Range of a single speaker: between pauses of 150 ms, with 0.5 to 1.5 s of voice. */
const unit = { pause: 15, min: 20, max: 75 } as const
/** Minimum voiced frames of each of two speakers; more are needed if one follows the other. */
const minFramesPerSpeaker = { mixed: 50, following: 80 } as const
const dimensions = coefficients + 1

/** Consecutive frames of one speaker. */
interface Unit {
  /** Indexes of the first and the last frame. */
  readonly from: number
  readonly to: number
  /** Share of frames with a second voice. */
  readonly together: number
  readonly moments: Moments
  readonly tones: readonly number[]
}

/** Two groups of units that differ most. */
interface Split {
  /** How much better two voices explain the frames than one, in nats per frame, minus the gain expected by chance. */
  readonly apart: number
  /** Group of each unit. */
  readonly sides: readonly boolean[]
  readonly semitones: number
}

const toneOf = (hz: number): number => 12 * Math.log2(hz)

/** Splits frames into units. */
function unitsOf(inspections: readonly VoicedFrame[]): readonly Unit[] {
  const runs: VoicedFrame[][] = []
  let run: VoicedFrame[] = []
  for (const [i, inspection] of inspections.entries()) {
    run.push(inspection)
    const pause = (inspections[i + 1]?.at ?? Infinity) - inspection.at
    const ends = run.length >= unit.max || (pause >= unit.pause && run.length >= unit.min)
    if (ends || i === inspections.length - 1) {
      const before = runs.at(-1)
      if (run.length < unit.min && before) before.push(...run)
      else runs.push(run)
      run = []
    }
  }
  return runs.map((each) => ({
    from: each[0]?.at ?? 0,
    to: each.at(-1)?.at ?? 0,
    together: each.filter(({ second }) => second).length / each.length,
    // Half of the pitch: in semitones it would outweigh the timbre.
    moments: momentsOf(
      each.map(({ timbre, hz }) => [...timbre, toneOf(hz) / 2]),
      dimensions,
    ),
    tones: each.map(({ hz }) => toneOf(hz)),
  }))
}

/**
 * Returns the best split into before and after a moment, and the best into any two groups: first by one change or one odd unit,
 * then by moving single units over. The first has fewer ways to be wrong, so a smaller difference is sufficient evidence.
 */
function bestSplits(units: readonly Unit[]): {
  readonly following: Split | null
  readonly mixed: Split | null
} {
  const all = joinMoments(units.map(({ moments }) => moments))
  const whole = meanGaussian(all)
  // The gain of two Gaussians over one due to their number of parameters alone (BIC).
  const chance =
    (0.5 * (dimensions + (dimensions * (dimensions + 1)) / 2) * Math.log(all.count)) / all.count
  const score = (sides: readonly boolean[], minCount: number): number => {
    const [a, b] = [true, false].map((side) =>
      joinMoments(units.filter((_, i) => sides[i] === side).map(({ moments }) => moments)),
    )
    if (!a || !b || Math.min(a.count, b.count) < minCount) return -Infinity
    const two = (a.count * meanGaussian(a) + b.count * meanGaussian(b)) / all.count
    return (whole - two) / 2 - chance
  }
  const better = (
    found: Split | null,
    sides: readonly boolean[],
    minCount: number,
  ): Split | null => {
    const apart = score(sides, minCount)
    if (apart === -Infinity || apart <= (found?.apart ?? -Infinity) + 1e-9) return found
    return { apart, sides, semitones: semitonesBetween(units, sides) }
  }
  let following: Split | null = null
  let mixed: Split | null = null
  for (let i = 1; i < units.length; i++) {
    const sides = units.map((_, n) => n < i)
    following = better(following, sides, minFramesPerSpeaker.following)
    mixed = better(mixed, sides, minFramesPerSpeaker.mixed)
  }
  for (let i = 0; i < units.length; i++)
    mixed = better(
      mixed,
      units.map((_, n) => n === i),
      minFramesPerSpeaker.mixed,
    )
  for (let before = null as Split | null; mixed && mixed !== before;) {
    before = mixed
    for (let i = 0; i < units.length; i++)
      mixed = better(
        mixed,
        mixed?.sides.map((side, n) => side !== (n === i)) ?? [],
        minFramesPerSpeaker.mixed,
      )
  }
  return { following, mixed }
}

function semitonesBetween(units: readonly Unit[], sides: readonly boolean[]): number {
  const [a = 0, b = 0] = [true, false].map((side) =>
    median(units.filter((_, i) => sides[i] === side).flatMap(({ tones }) => tones)),
  )
  return Math.abs(a - b)
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Sums over rows of numbers, from which mean and covariance follow; several can be added. */
interface Moments {
  readonly count: number
  readonly sum: Float64Array
  /** Sums of products, row by row, `size * size`. */
  readonly products: Float64Array
}

/** Computes the sums over these rows, each `size` numbers long. */
function momentsOf(rows: readonly (readonly number[])[], size: number): Moments {
  const sum = new Float64Array(size)
  const products = new Float64Array(size * size)
  for (const row of rows)
    for (let i = 0; i < size; i++) {
      const value = row[i] ?? 0
      sum[i] = (sum[i] ?? 0) + value
      for (let j = 0; j < size; j++)
        products[i * size + j] = (products[i * size + j] ?? 0) + value * (row[j] ?? 0)
    }
  return { count: rows.length, sum, products }
}

/** Adds several sums; there must be at least one. */
function joinMoments(all: readonly Moments[]): Moments {
  const size = all[0]?.sum.length ?? 0
  const sum = new Float64Array(size)
  const products = new Float64Array(size * size)
  let count = 0
  for (const each of all) {
    count += each.count
    for (let i = 0; i < size; i++) sum[i] = (sum[i] ?? 0) + (each.sum[i] ?? 0)
    for (let i = 0; i < products.length; i++)
      products[i] = (products[i] ?? 0) + (each.products[i] ?? 0)
  }
  return { count, sum, products }
}

/** Added to each variance, so that identical rows do not have a variance of zero. */
const minVariance = 0.05

/**
 * Returns twice the mean negative log-likelihood, in nats and without constants, of rows under their best Gaussian: log
 * determinant.
 */
function meanGaussian({ count, sum, products }: Moments): number {
  const size = sum.length
  const lower = new Float64Array(size * size)
  let logarithm = 0
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let value =
        (products[i * size + j] ?? 0) / count -
        ((sum[i] ?? 0) / count) * ((sum[j] ?? 0) / count) +
        (i === j ? minVariance : 0)
      for (let k = 0; k < j; k++) value -= (lower[i * size + k] ?? 0) * (lower[j * size + k] ?? 0)
      if (i === j) {
        const root = Math.sqrt(Math.max(value, 1e-9))
        lower[i * size + i] = root
        logarithm += 2 * Math.log(root)
      } else lower[i * size + j] = value / (lower[j * size + j] ?? 1)
    }
  return logarithm
}
