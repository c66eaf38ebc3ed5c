/** Where a sound is cut off flat: samples in a row that stand at its own loudest, also of a sound that was made quieter afterwards. */
export interface Clipping {
  /** From where to where, in samples; the end is behind the last. */
  readonly runs: readonly (readonly [from: number, to: number])[]
  /** Samples in them. */
  readonly samples: number
  /** The loudest sample, 0 to 1. */
  readonly peak: number
}

/** The least samples in a row that stand at one end of the range. */
const flat = 3
/** So near to the loudest counts as standing there. */
const near = 0.002
/** A sound that is quieter than this all the time is not cut off. */
const faint = 0.05

/** Finds them in samples from -1 to 1. */
export function clippingOf(sound: Float32Array): Clipping {
  let most = 0
  let least = 0
  for (const sample of sound) {
    if (sample > most) most = sample
    if (sample < least) least = sample
  }
  const runs: [number, number][] = []
  let samples = 0
  let run = 0
  for (let i = 0; i <= sound.length; i++) {
    const sample = sound[i] ?? 0
    const top = sample > 0 ? most : -least
    if (i < sound.length && top > faint && Math.abs(sample) >= top - near * top) {
      run++
      continue
    }
    if (run >= flat) {
      runs.push([i - run, i])
      samples += run
    }
    run = 0
  }
  return { runs, samples, peak: Math.max(most, -least) }
}
