import {
  peaksHeaderBytes,
  readPeaks,
  type Peaks,
} from '../../../src/renderer/src/features/meetings/peaks.ts'

/** A .dat file: pairs of min and max, channel by channel; `rate` over `perPair` gives pairs a second. */
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

/** The peaks of such a file. */
export function peaksOf(channels: number, values: readonly number[]): Peaks {
  const peaks = readPeaks(datFile(channels, values))
  if (!peaks) throw new Error('not read')
  return peaks
}
