import { frameSamples } from './frames.ts'

/** Share of the last value that a sample retains: everything below about 80 Hz (hum, an offset) is filtered out. */
const keep = 0.97

/** Returns the mean square (0 to 1) of one frame of 16-bit samples after the other, without frequencies below speech. */
export function createLoudness(): (samples: Int16Array, at: number) => number {
  const last = { sample: 0, filtered: 0 }
  return (samples, at) => {
    // Local variables: shared ones, written on every iteration, would take five times as long.
    let { sample: before, filtered } = last
    let sum = 0
    for (let i = at; i < at + frameSamples; i++) {
      const sample = samples[i] ?? 0
      filtered = sample - before + keep * filtered
      before = sample
      sum += filtered * filtered
    }
    last.sample = before
    last.filtered = filtered
    return sum / frameSamples / 32_768 ** 2
  }
}

/** Converts a mean square to dB full scale; silence counts as the faintest 16-bit noise. */
export const decibels = (power: number): number => 10 * Math.log10(power + 1e-10)

/** Frames on either side in which the quietest moment is the noise floor: speech contains a pause within that time. */
export const floorReach = 188
/** Minimum and maximum noise floor in dB: beyond them the detector decides. */
const faintest = -75
const loudest = -30

/** Returns the noise floor around each frame in dB: the quietest 96 ms of the 6 s on both sides, as far as the list reaches. */
export function noiseFloor(levels: readonly number[]): number[] {
  const smooth = levels.map(
    (level, i) => ((levels[i - 1] ?? level) + level + (levels[i + 1] ?? level)) / 3,
  )
  // Frames that may still become the minimum, from the minimum on.
  const queue: number[] = []
  let head = 0
  let entered = 0
  return smooth.map((_, i) => {
    for (; entered < smooth.length && entered <= i + floorReach; entered++) {
      const level = smooth[entered] ?? 0
      while (queue.length > head && (smooth[queue.at(-1) ?? 0] ?? 0) >= level) queue.pop()
      queue.push(entered)
    }
    while ((queue[head] ?? i) < i - floorReach) head++
    return Math.min(loudest, Math.max(faintest, smooth[queue[head] ?? i] ?? faintest))
  })
}
