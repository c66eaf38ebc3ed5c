import { coefficients } from './timbre.ts'
import { meanGaussian, momentsOf, joinMoments, type Moments } from './moments.ts'

/** A look in which somebody speaks with a voice (no breath, no hiss). */
export interface VoicedLook {
  /** Its number; looks are 10 ms apart. */
  readonly at: number
  readonly timbre: Float64Array
  /** Hz. */
  readonly hz: number
  /** Another pitch sounds at the same time, which is no multiple of this one. */
  readonly second: boolean
}

/** How many people speak. */
export interface SpeakersFound {
  /** `together`: two voices at the same time; `change`: one after the other; `unsure`: too little was said to tell. */
  readonly found: 'one' | 'together' | 'change' | 'unsure'
  /** The share of looks with a second pitch, 0 to 1. */
  readonly together: number
  /** How much better two voices explain the looks than one, in nats for each look, less what chance gives. */
  readonly apart: number
  /** Semitones between the two voices. */
  readonly semitones: number
  /** The looks between which the voice changes, where it changes once; else null. */
  readonly change: readonly [last: number, first: number] | null
}

/**
 * Where the lines are drawn. Measured on 20 synthetic voices in two languages, on a human one and on meetings: of 55 samples of one voice
 * none is taken for two; of 76 in which two speak on top of each other 69 are found (creaking voices hide the other), of 39 in which
 * one follows the other 22: voices of another kind or height, not two of one kind. One voice has a second pitch in up to 0.05 of its
 * looks and reaches 0.48 in `apart`; two of another kind begin at 0.9. Phrases of one speaker differ by up to 4.5 semitones.
 */
const lines = { together: 0.065, apart: 0.8, apartInPitch: 0.55, semitones: 5.5 } as const

/** A unit is taken to be one speaker's: it lies between pauses of 150 ms, and is half a second to 1.5 s of voice long. */
const unit = { pause: 15, least: 20, most: 75 } as const
/** Looks (20 ms of voice each) that are too few to tell anything: two seconds. */
const leastLooks = 100
/** Looks that the rarer of two voices has at least: less is a word in another tone. */
const leastOfOne = 50
const dimensions = coefficients + 1

/** Tells whether more than one person speaks. */
export function findSpeakers(looks: readonly VoicedLook[]): SpeakersFound {
  const together = looks.filter(({ second }) => second).length / Math.max(1, looks.length)
  if (looks.length < leastLooks)
    return { found: 'unsure', together, apart: 0, semitones: 0, change: null }
  const split = bestSplit(unitsOf(looks))
  const { apart, semitones } = split ?? { apart: 0, semitones: 0 }
  const changes = apart > lines.apart || (apart > lines.apartInPitch && semitones > lines.semitones)
  if (together > lines.together)
    return { found: 'together', together, apart, semitones, change: null }
  return {
    found: changes ? 'change' : 'one',
    together,
    apart,
    semitones,
    change: changes && split && split.changeAt !== null ? pauseNear(looks, split.changeAt) : null,
  }
}

/** Where a unit holds the end of one voice and the beginning of the other, they part at the longest pause near its edge. */
function pauseNear(looks: readonly VoicedLook[], at: number): readonly [number, number] {
  const index = looks.findIndex((look) => look.at >= at)
  let best: readonly [number, number] = [at, at]
  for (
    let i = Math.max(1, index - unit.most);
    i < Math.min(looks.length, index + unit.least);
    i++
  ) {
    const [before, after] = [looks[i - 1]?.at ?? at, looks[i]?.at ?? at]
    if (after - before > best[1] - best[0]) best = [before, after]
  }
  return best
}

interface Unit {
  readonly from: number
  readonly moments: Moments
  readonly tones: readonly number[]
}

const toneOf = (hz: number): number => 12 * Math.log2(hz)

function unitsOf(looks: readonly VoicedLook[]): readonly Unit[] {
  const runs: VoicedLook[][] = []
  let run: VoicedLook[] = []
  for (const [i, look] of looks.entries()) {
    run.push(look)
    const pause = (looks[i + 1]?.at ?? Infinity) - look.at
    const ends = run.length >= unit.most || (pause >= unit.pause && run.length >= unit.least)
    if (ends || i === looks.length - 1) {
      const before = runs.at(-1)
      if (run.length < unit.least && before) before.push(...run)
      else runs.push(run)
      run = []
    }
  }
  return runs.map((each) => ({
    from: each[0]?.at ?? 0,
    // Half of the tone: in semitones it would outweigh the timbre.
    moments: momentsOf(
      each.map(({ timbre, hz }) => [...timbre, toneOf(hz) / 2]),
      dimensions,
    ),
    tones: each.map(({ hz }) => toneOf(hz)),
  }))
}

/** The two groups of units that differ most: first by one change or one odd unit, then by moving single units over. */
function bestSplit(units: readonly Unit[]) {
  const all = joinMoments(units.map(({ moments }) => moments))
  const whole = meanGaussian(all)
  // What two Gaussians gain over one by their number of parameters alone (BIC).
  const chance =
    (0.5 * (dimensions + (dimensions * (dimensions + 1)) / 2) * Math.log(all.count)) / all.count
  const judge = (first: ReadonlySet<number>): number => {
    const [a, b] = [true, false].map((side) =>
      joinMoments(units.filter((_, i) => first.has(i) === side).map(({ moments }) => moments)),
    )
    if (!a || !b || Math.min(a.count, b.count) < leastOfOne) return -Infinity
    const two = (a.count * meanGaussian(a) + b.count * meanGaussian(b)) / all.count
    return (whole - two) / 2 - chance
  }
  let best = -Infinity
  let first: ReadonlySet<number> = new Set()
  const consider = (candidate: ReadonlySet<number>): boolean => {
    const value = judge(candidate)
    if (value <= best + 1e-9) return false
    best = value
    first = candidate
    return true
  }
  for (let i = 1; i < units.length; i++) consider(new Set(Array.from({ length: i }, (_, k) => k)))
  for (let i = 0; i < units.length; i++) consider(new Set([i]))
  if (best === -Infinity) return null
  for (let moved = true, round = 0; moved && round < 8; round++) {
    moved = false
    for (let i = 0; i < units.length; i++) moved = consider(toggled(first, i)) || moved
  }
  const tones = [true, false].map((side) =>
    median(units.filter((_, i) => first.has(i) === side).flatMap((each) => each.tones)),
  )
  const sides = units.map((_, i) => first.has(i))
  const turns = sides.flatMap((side, i) => (i > 0 && side !== sides[i - 1] ? [i] : []))
  const [turn] = turns
  return {
    apart: best,
    semitones: Math.abs((tones[0] ?? 0) - (tones[1] ?? 0)),
    changeAt: turns.length === 1 && turn !== undefined ? (units[turn]?.from ?? null) : null,
  }
}

function toggled(set: ReadonlySet<number>, value: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
