import {
  peaksHeaderBytes,
  readPeaks,
  type Peaks,
} from '../../../../../src/renderer/src/domains/audio/meetings/peaks.ts'

/**
 * Creates a .dat file: pairs of minimum and maximum, channel by channel; `rate` divided by `perPair` is the number of pairs
 * per second.
 */
export function datFile(
  channels: number,
  values: readonly number[],
  head: { version?: number; flags?: number } = {},
): ArrayBuffer {
  const file = new ArrayBuffer(peaksHeaderBytes + values.length)
  const view = new DataView(file)
  const pairs = Math.floor(values.length / 2 / channels)
  const words = [head.version ?? 2, head.flags ?? 1, 16_000, 800, pairs, channels]
  for (const [at, word] of words.entries()) view.setInt32(at * 4, word, true)
  new Int8Array(file, peaksHeaderBytes).set(values)
  return file
}

/** Returns the peaks of such a file. */
export function peaksOf(channels: number, values: readonly number[]): Peaks {
  const peaks = readPeaks(datFile(channels, values))
  if (!peaks) throw new Error('not read')
  return peaks
}
