/** Loudness over time: pairs of minimum and maximum per channel, as in audiowaveform's .dat of version 2. */
export interface Peaks {
  readonly channels: number
  /** Duration of one pair in milliseconds. */
  readonly pairMs: number
  /** Number of pairs per channel. */
  readonly pairs: number
  /** Minimum and maximum of the first channel, then of the second, repeated: -128 to 127. */
  readonly data: Int8Array
  /** The same with sixteen pairs combined, so that hours can be drawn without reading every pair. */
  readonly blocks: Int8Array
  /** Maximum value of each channel, 1 to 128. */
  readonly loudest: readonly number[]
}

/** Pairs per block of `blocks`. */
const blockPairs = 16

/** Number of bytes before the pairs. */
export const peaksHeaderBytes = 24

/** Parses a whole file; null for anything but version 2 with 8 bits. An incomplete pair at the end is left out. */
export function readPeaks(bytes: ArrayBuffer): Peaks | null {
  if (bytes.byteLength < peaksHeaderBytes) return null
  const head = new DataView(bytes)
  const [version, flags, rate, perPair, channels] = [0, 4, 8, 12, 20].map((at) =>
    head.getInt32(at, true),
  )
  if (version !== 2 || flags !== 1 || !rate || !perPair || !channels) return null
  if (channels < 1 || channels > 2) return null
  const data = new Int8Array(bytes, peaksHeaderBytes)
  const nothing = { channels, pairMs: (perPair * 1000) / rate, pairs: 0, loudest: [] }
  return withPairs({ ...nothing, blocks: new Int8Array() }, data)
}

/** Returns the peaks extended by bytes written since. */
export function growPeaks(peaks: Peaks, more: ArrayBuffer): Peaks {
  const used = peaks.pairs * peaks.channels * 2
  const data = new Int8Array(used + more.byteLength)
  data.set(peaks.data.subarray(0, used))
  data.set(new Int8Array(more), used)
  return withPairs(peaks, data)
}

/** Returns the offset of the next read: after the last complete pair. */
export function peaksEnd(peaks: Peaks): number {
  return peaksHeaderBytes + peaks.pairs * peaks.channels * 2
}

/** Returns the peaks of `data`, whose first pairs are already known. */
function withPairs(known: Omit<Peaks, 'data'>, data: Int8Array): Peaks {
  const { channels, pairMs } = known
  const step = channels * 2
  const pairs = Math.floor(data.length / step)
  const blocks = new Int8Array(Math.ceil(pairs / blockPairs) * step)
  // The last block may have been incomplete.
  const reusedBlocks = Math.floor(known.pairs / blockPairs)
  blocks.set(known.blocks.subarray(0, reusedBlocks * step))
  const loudest: number[] = []
  for (let channel = 0; channel < channels; channel++) {
    let max = known.loudest[channel] ?? 1
    for (let pair = reusedBlocks * blockPairs; pair < pairs; pair++) {
      const at = pair * step + channel * 2
      const low = data[at] ?? 0
      const high = data[at + 1] ?? 0
      const block = Math.floor(pair / blockPairs) * step + channel * 2
      const first = pair % blockPairs === 0
      if (first || low < (blocks[block] ?? 0)) blocks[block] = low
      if (first || high > (blocks[block + 1] ?? 0)) blocks[block + 1] = high
      if (-low > max) max = -low
      if (high > max) max = high
    }
    loudest.push(max)
  }
  return { channels, pairMs, pairs, data, blocks, loudest }
}

/**
 * Writes the minimum and maximum of each pixel column to `out` (two numbers per column, -1 to 1 of the maximum). Columns
 * narrower than a pair are interpolated between its neighbors; columns after the end are flat.
 */
export function columnsOf(
  peaks: Peaks,
  channel: number,
  startMs: number,
  msPerPixel: number,
  out: Float32Array,
): void {
  const { data, blocks, channels, pairMs, pairs } = peaks
  const gain = 1 / (peaks.loudest[channel] ?? 1)
  const step = channels * 2
  const base = channel * 2
  const valueAt = (pair: number, side: 0 | 1): number => {
    const whole = Math.floor(pair)
    const here = data[Math.min(pairs - 1, Math.max(0, whole)) * step + base + side] ?? 0
    const next = data[Math.min(pairs - 1, Math.max(0, whole + 1)) * step + base + side] ?? 0
    return here + (next - here) * (pair - whole)
  }
  for (let column = 0; column * 2 < out.length; column++) {
    const from = (startMs + column * msPerPixel) / pairMs
    const to = (startMs + (column + 1) * msPerPixel) / pairMs
    let min = 0
    let greatest = 0
    if (to > 0 && from < pairs) {
      if (to - from < 1) {
        const middle = (from + to) / 2 - 0.5
        min = valueAt(middle, 0)
        greatest = valueAt(middle, 1)
      } else {
        min = 127
        greatest = -128
        const end = Math.min(pairs, Math.ceil(to))
        for (let pair = Math.max(0, Math.floor(from)); pair < end;) {
          const whole = pair % blockPairs === 0 && pair + blockPairs <= end
          const values = whole ? blocks : data
          const at = (whole ? pair / blockPairs : pair) * step + base
          const low = values[at] ?? 0
          const high = values[at + 1] ?? 0
          if (low < min) min = low
          if (high > greatest) greatest = high
          pair += whole ? blockPairs : 1
        }
      }
    }
    out[column * 2] = min * gain
    out[column * 2 + 1] = greatest * gain
  }
}
