import { inflateSync, constants } from 'node:zlib'
import { damagedTiff } from './directory.ts'

/** Bytes that a segment may have beyond its rows: some programs add padding. */
const maxSpare = 64 * 1024

/** Unpacks PackBits (TIFF 6.0, section 9). Throws DAMAGED_FILE when it yields fewer than `wanted` bytes. */
export function unpackBytes(data: Uint8Array, wanted: number): Uint8Array {
  const out = new Uint8Array(wanted)
  let at = 0
  let done = 0
  while (done < wanted && at < data.length) {
    const head = data[at] ?? 0
    at += 1
    if (head < 128) {
      const chunk = data.subarray(at, Math.min(at + head + 1, at + wanted - done))
      out.set(chunk, done)
      done += chunk.length
      at += head + 1
    } else if (head > 128) {
      const end = Math.min(wanted, done + 257 - head)
      out.fill(data[at] ?? 0, done, end)
      done = end
      at += 1
    }
  }
  return complete(out, done, wanted)
}

/** Unpacks a zlib stream (TIFF 6.0, supplement 2). Throws DAMAGED_FILE. */
export function unpackZlib(data: Uint8Array, wanted: number): Uint8Array {
  const maxOutputLength = wanted + maxSpare
  const finishFlush = constants.Z_SYNC_FLUSH
  try {
    const out = inflateSync(data, { maxOutputLength, finishFlush })
    return complete(out.subarray(0, wanted), out.length, wanted)
  } catch (error) {
    if (error instanceof Error && 'errno' in error) throw damagedTiff('a strip is not zlib data')
    throw error
  }
}

const clearCode = 256
const endCode = 257

/**
 * Unpacks LZW in the TIFF variant (section 13): codes from the high bit, one bit longer one code early. Throws
 * DAMAGED_FILE.
 */
export function unpackLzw(data: Uint8Array, wanted: number): Uint8Array {
  if (data[0] === 0 && ((data[1] ?? 0) & 1) === 1)
    throw damagedTiff('it uses the LZW variant from before TIFF 6')
  const out = new Uint8Array(wanted)
  /** Each code repeats an earlier range of the output: its start and its length. */
  const starts = new Uint32Array(4097)
  const lengths = new Uint32Array(4097)
  let size = 258
  let bits = 9
  let last = -1
  let done = 0
  let place = 0
  while (done < wanted) {
    const at = place >> 3
    if (place + bits > data.length * 8) break
    const word = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
    const code = (word >> (24 - (place & 7) - bits)) & ((1 << bits) - 1)
    place += bits
    if (code === endCode) break
    if (code === clearCode) {
      size = 258
      bits = 9
      last = -1
      continue
    }
    const before = done
    if (code < 256) out[done++] = code
    else {
      if (code >= size + (last >= 0 ? 1 : 0)) throw damagedTiff('a strip is not LZW data')
      // The newest code is the last one plus its own first byte: its range is still being written.
      const from = code === size ? before - lastLength(last, lengths) : (starts[code] ?? 0)
      const length = code === size ? lastLength(last, lengths) + 1 : (lengths[code] ?? 0)
      for (let k = 0; k < length && done < wanted; k++) out[done++] = out[from + k] ?? 0
    }
    if (last >= 0 && size < 4096) {
      const length = lastLength(last, lengths)
      starts[size] = before - length
      lengths[size] = length + 1
      size += 1
    }
    last = code
    // Codes become longer before the table needs it.
    bits =
      size + 1 >= 4096
        ? 12
        : size + 1 >= 2048
          ? 12
          : size + 1 >= 1024
            ? 11
            : size + 1 >= 512
              ? 10
              : 9
  }
  return complete(out, done, wanted)
}

const lastLength = (code: number, lengths: Uint32Array): number =>
  code < 256 ? 1 : (lengths[code] ?? 0)

/** Returns data that is not compressed. */
export const asStored = (data: Uint8Array, wanted: number): Uint8Array =>
  complete(data.subarray(0, wanted), data.length, wanted)

function complete(out: Uint8Array, length: number, wanted: number): Uint8Array {
  if (length < wanted) throw damagedTiff('a strip is too short')
  return out
}
