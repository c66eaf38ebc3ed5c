import { inflateSync, constants } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { damagedTiff, tags, type TiffDirectory, type TiffFile } from './directory.ts'
import { unpackFax } from './fax.ts'
import type { TiffLayout } from './layout.ts'

/**
 * Rows of a page with interleaved samples: one byte for each, or packed bits when a pixel is a single sample of one bit.
 */
export interface Band {
  /** First row on the page, from 0. */
  readonly top: number
  readonly rows: number
  readonly samples: Uint8Array
  /** Samples of a pixel; JPEG is decoded to red, green, blue. */
  readonly perPixel: number
}

/** One segment: a tile or some rows, with its position. */
interface Chunk {
  readonly index: number
  readonly rows: number
}

/** Whether the pixels of a page are single bits. */
export const isBilevel = ({ bits, samples, colours }: TiffLayout): boolean =>
  bits === 1 && samples === 1 && colours === 'grey'

/**
 * Yields the rows of a page from top to bottom, each time as many as its segments are high. Throws DAMAGED_FILE.
 */
export async function* bandsOf(
  file: TiffFile,
  directory: TiffDirectory,
  layout: TiffLayout,
): AsyncGenerator<Band> {
  const { width, height, chunkWidth, chunkHeight, planar, samples } = layout
  const across = Math.ceil(width / chunkWidth)
  const down = Math.ceil(height / chunkHeight)
  const jpeg = layout.compression === 7
  const perPixel = jpeg ? 3 : samples
  const packed = isBilevel(layout)
  const unitOf = (pixels: number): number => (packed ? Math.ceil(pixels / 8) : pixels * perPixel)
  const tiled = chunkWidth !== width
  if (packed && tiled && chunkWidth % 8 !== 0)
    throw damagedTiff('a tile row does not consist of whole bytes')
  for (let y = 0; y < down; y++) {
    const top = y * chunkHeight
    const shown = Math.min(chunkHeight, height - top)
    const rows = isStrips(directory) ? shown : chunkHeight
    const out = new Uint8Array(unitOf(width) * shown)
    for (let x = 0; x < across; x++) {
      for (let plane = 0; plane < (planar ? samples : 1); plane++) {
        const chunk = { index: (plane * down + y) * across + x, rows }
        const data = jpeg
          ? await jpegStrip(file, directory, layout, chunk)
          : plainStrip(file, directory, layout, chunk)
        const from = x * chunkWidth
        if (planar) scatter(out, data, layout, plane, from, shown)
        else place(out, data, unitOf(width), unitOf(chunkWidth), unitOf(from), shown)
      }
    }
    yield { top, rows: shown, samples: out, perPixel }
  }
}

const isStrips = ({ value }: TiffDirectory): boolean => value(tags.tileWidth, 0) === 0

/** Copies rows of a segment into the band; parts of a tile beyond the page are left out. */
function place(
  out: Uint8Array,
  data: Uint8Array,
  outRow: number,
  dataRow: number,
  from: number,
  rows: number,
): void {
  const length = Math.min(dataRow, outRow - from)
  for (let row = 0; row < rows; row++)
    out.set(data.subarray(row * dataRow, row * dataRow + length), row * outRow + from)
}

function scatter(
  out: Uint8Array,
  data: Uint8Array,
  { width, chunkWidth, samples }: TiffLayout,
  plane: number,
  from: number,
  rows: number,
): void {
  const pixels = Math.min(chunkWidth, width - from)
  for (let row = 0; row < rows; row++)
    for (let x = 0; x < pixels; x++)
      out[(row * width + from + x) * samples + plane] = data[row * chunkWidth + x] ?? 0
}

function packedBytes(file: TiffFile, layout: TiffLayout, index: number): Buffer {
  const bytes = file.bytes(layout.offsets[index] ?? -1, layout.counts[index] ?? 0)
  if (layout.reversedBits) for (let i = 0; i < bytes.length; i++) bytes[i] = reversed(bytes[i] ?? 0)
  return bytes
}

/** Reverses the bits of a byte. */
function reversed(byte: number): number {
  let turned = 0
  for (let bit = 0; bit < 8; bit++) turned |= ((byte >> bit) & 1) << (7 - bit)
  return turned
}

/** Reads a segment that is no JPEG: one byte for a sample, or rows of packed bits. */
function plainStrip(
  file: TiffFile,
  { value }: TiffDirectory,
  layout: TiffLayout,
  { index, rows }: Chunk,
): Uint8Array {
  const { chunkWidth, bits, compression } = layout
  const perPixel = layout.planar ? 1 : layout.samples
  const rowBytes = Math.ceil((chunkWidth * perPixel * bits) / 8)
  const wanted = rowBytes * rows
  const data = packedBytes(file, layout, index)
  switch (compression) {
    case 2:
      return unpackFax(data, chunkWidth, rows, 'lines', false)
    case 3: {
      const options = value(tags.faxOptions, 0)
      return unpackFax(data, chunkWidth, rows, 'group3', (options & 1) === 1)
    }
    case 4:
      return unpackFax(data, chunkWidth, rows, 'group4', true)
    default: {
      const plain = unpackedBy(compression)(data, wanted)
      return isBilevel(layout)
        ? plain
        : samplesOf(plain, layout, perPixel, rows, rowBytes, file.littleEndian)
    }
  }
}

const unpackedBy = (compression: number): ((data: Uint8Array, wanted: number) => Uint8Array) => {
  if (compression === 5) return unpackLzw
  if (compression === 32773) return unpackBytes
  return compression === 1 ? asStored : unpackZlib
}

/**
 * Converts samples to one byte each, whatever their size: palette indexes are unchanged, everything else is scaled to 0
 * to 255.
 */
function samplesOf(
  plain: Uint8Array,
  { chunkWidth, bits, predicted, colours }: TiffLayout,
  perPixel: number,
  rows: number,
  rowBytes: number,
  littleEndian: boolean,
): Uint8Array {
  const perRow = chunkWidth * perPixel
  const out = new Uint8Array(perRow * rows)
  const scale = colours === 'palette' || bits >= 8 ? 1 : 255 / ((1 << bits) - 1)
  const before = new Uint16Array(perPixel)
  for (let row = 0; row < rows; row++) {
    const start = row * rowBytes
    before.fill(0)
    for (let i = 0; i < perRow; i++) {
      let sample: number
      if (bits === 8) sample = plain[start + i] ?? 0
      else if (bits === 16) {
        const one = plain[start + 2 * i] ?? 0
        const other = plain[start + 2 * i + 1] ?? 0
        sample = littleEndian ? one | (other << 8) : (one << 8) | other
      } else {
        const bit = i * bits
        const shift = 8 - bits - (bit & 7)
        sample = ((plain[start + (bit >> 3)] ?? 0) >> shift) & ((1 << bits) - 1)
      }
      if (predicted) {
        const channel = i % perPixel
        sample = (sample + (before[channel] ?? 0)) & (bits === 16 ? 0xffff : 0xff)
        before[channel] = sample
      }
      out[row * perRow + i] = bits === 16 ? sample >> 8 : Math.round(sample * scale)
    }
  }
  return out
}

/** Returns the complete JPEG of a segment: its tables are stored once for all segments. */
export function jpegOf(
  file: TiffFile,
  { values }: TiffDirectory,
  layout: TiffLayout,
  index: number,
): Buffer {
  const own = packedBytes(file, { ...layout, reversedBits: false }, index)
  if (own.readUInt16BE(0) !== 0xffd8) throw damagedTiff('a strip or tile is not a JPEG')
  const tables = Buffer.from(values(tags.jpegTables))
  const shared = tables.length > 4 ? tables.subarray(2, tables.length - 2) : Buffer.alloc(0)
  // Without this marker, three colors are interpreted as luminance and two color differences.
  const plain =
    layout.colours === 'rgb'
      ? Buffer.from('ffee000e41646f626500640000000000', 'hex')
      : Buffer.alloc(0)
  return Buffer.concat([own.subarray(0, 2), plain, shared, own.subarray(2)])
}

async function jpegStrip(
  file: TiffFile,
  directory: TiffDirectory,
  layout: TiffLayout,
  { index, rows }: Chunk,
): Promise<Uint8Array> {
  const { chunkWidth } = layout
  const image = await loadImage(jpegOf(file, directory, layout, index)).catch(() => null)
  if (!image || image.width !== chunkWidth || image.height < rows)
    throw damagedTiff('a strip or tile is not a JPEG of the expected size')
  const canvas = createCanvas(chunkWidth, rows)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, chunkWidth, rows)
  const out = new Uint8Array(chunkWidth * rows * 3)
  for (let i = 0, k = 0; i < out.length; i += 3, k += 4) {
    out[i] = data[k] ?? 0
    out[i + 1] = data[k + 1] ?? 0
    out[i + 2] = data[k + 2] ?? 0
  }
  return out
}

/** Bytes that a segment may have beyond its rows: some programs add padding. */
const maxSpare = 64 * 1024

/** Unpacks PackBits (TIFF 6.0, section 9). Throws DAMAGED_FILE when it yields fewer than `wanted` bytes. */
function unpackBytes(data: Uint8Array, wanted: number): Uint8Array {
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
function unpackZlib(data: Uint8Array, wanted: number): Uint8Array {
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
function unpackLzw(data: Uint8Array, wanted: number): Uint8Array {
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
  let bitAt = 0
  while (done < wanted) {
    const at = bitAt >> 3
    if (bitAt + bits > data.length * 8) break
    const word = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)
    const code = (word >> (24 - (bitAt & 7) - bits)) & ((1 << bits) - 1)
    bitAt += bits
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
const asStored = (data: Uint8Array, wanted: number): Uint8Array =>
  complete(data.subarray(0, wanted), data.length, wanted)

function complete(out: Uint8Array, length: number, wanted: number): Uint8Array {
  if (length < wanted) throw damagedTiff('a strip is too short')
  return out
}
