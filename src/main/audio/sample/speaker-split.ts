import { meanGaussian, momentsOf, joinMoments, type Moments } from './gaussian-moments.ts'
import type { VoicedFrame } from './speakers.ts'
import { coefficients } from './timbre.ts'

/** Range of a single speaker: between pauses of 150 ms, with 0.5 to 1.5 s of voice. */
export const unit = { pause: 15, min: 20, max: 75 } as const
/** Minimum voiced frames of each of two speakers; more are needed if one follows the other. */
const minFramesPerSpeaker = { mixed: 50, following: 80 } as const
const dimensions = coefficients + 1

/** Consecutive frames of one speaker. */
export interface Unit {
  /** Indexes of the first and the last frame. */
  readonly from: number
  readonly to: number
  /** Share of frames with a second voice. */
  readonly together: number
  readonly moments: Moments
  readonly tones: readonly number[]
}

/** Two groups of units that differ most. */
export interface Split {
  /** How much better two voices explain the frames than one, in nats per frame, minus the gain expected by chance. */
  readonly apart: number
  /** Group of each unit. */
  readonly sides: readonly boolean[]
  readonly semitones: number
}

const toneOf = (hz: number): number => 12 * Math.log2(hz)

/** Splits frames into units. */
export function unitsOf(inspections: readonly VoicedFrame[]): readonly Unit[] {
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
export function bestSplits(units: readonly Unit[]): {
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
