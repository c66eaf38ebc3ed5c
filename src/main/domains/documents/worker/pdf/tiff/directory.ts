import { fstatSync, readSync } from 'node:fs'
import { AppError } from '../../../../../errors.ts'

/** Directory of one image in a TIFF: numbers by tag. */
export interface TiffDirectory {
  /** Returns all values of a tag; none when it is missing. */
  values(tag: number): readonly number[]
  /** Returns the first value of a tag, or a default when it is missing. */
  value(tag: number, otherwise: number): number
}

/** A TIFF whose bytes are read on demand. */
export interface TiffFile {
  readonly littleEndian: boolean
  readonly directories: readonly TiffDirectory[]
  /** Reads bytes of the file. Throws DAMAGED_FILE when they are beyond its end. */
  bytes(at: number, length: number): Buffer
}

/** Tags that are read; see TIFF 6.0, section 8, and its supplements. */
export const tags = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  xResolution: 282,
  yResolution: 283,
  planes: 284,
  faxOptions: 292,
  resolutionUnit: 296,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  jpegAt: 513,
  jpegBytes: 514,
} as const

const known = new Set<number>(Object.values(tags))

/** Limits above which a file is malicious. */
const maxPages = 2_000
const maxEntries = 4_096
const maxValues = 1_000_000

/** Bytes of one value, by its type (BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, ...). */
const widths: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** Creates the error for a damaged file; `page` counts from 1. */
export const damagedTiff = (why: string, page?: number): AppError =>
  new AppError('DAMAGED_FILE', `The TIFF cannot be read: ${why}`, {
    ...(page !== undefined && { params: { page } }),
  })

/** Reads the directories of all pages; thumbnails and masks are left out. Throws DAMAGED_FILE, LIMIT_EXCEEDED. */
export function readTiff(file: number): TiffFile {
  const { size } = fstatSync(file)
  const bytes = (at: number, length: number): Buffer => {
    if (at < 0 || length < 0 || at + length > size) throw damagedTiff('it is truncated')
    const buffer = Buffer.alloc(length)
    for (let done = 0; done < length;) {
      const read = readSync(file, buffer, done, length - done, at + done)
      if (read === 0) throw damagedTiff('it is truncated')
      done += read
    }
    return buffer
  }
  const littleEndian = bytes(0, 2).toString('latin1') === 'II'
  const number = numberReader(littleEndian)
  const directories: TiffDirectory[] = []
  const seen = new Set<number>()
  for (let at = number.long(bytes(4, 4), 0); at !== 0;) {
    if (seen.has(at)) throw damagedTiff('its page directories form a loop')
    seen.add(at)
    if (seen.size > maxPages)
      throw new AppError('LIMIT_EXCEEDED', 'The TIFF has too many pages', {
        params: { what: 'pages', limit: maxPages, value: seen.size },
      })
    const count = number.short(bytes(at, 2), 0)
    if (count > maxEntries) throw damagedTiff('a page directory has too many entries or values')
    const entries = bytes(at + 2, count * 12 + 4)
    const directory = directoryOf(entries, count, number, bytes)
    // A thumbnail of another image (1), or a mask for it (4).
    if ((directory.value(tags.subfileType, 0) & 5) === 0) directories.push(directory)
    at = number.long(entries, count * 12)
  }
  if (directories.length === 0) throw damagedTiff('it has no pages')
  return { littleEndian, directories, bytes }
}

interface NumberReader {
  short(bytes: Buffer, at: number): number
  long(bytes: Buffer, at: number): number
}

const numberReader = (little: boolean): NumberReader => ({
  short: (bytes, at) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)),
  long: (bytes, at) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)),
})

function directoryOf(
  entries: Buffer,
  count: number,
  number: NumberReader,
  bytes: TiffFile['bytes'],
): TiffDirectory {
  const fields = new Map<number, readonly number[]>()
  for (let i = 0; i < count; i++) {
    const tag = number.short(entries, i * 12)
    const type = number.short(entries, i * 12 + 2)
    const length = number.long(entries, i * 12 + 4)
    const width = widths[type]
    if (!known.has(tag) || !width) continue
    if (length > maxValues) throw damagedTiff('a page directory has too many entries or values')
    const inside = width * length <= 4
    const held = inside
      ? entries.subarray(i * 12 + 8, i * 12 + 12)
      : bytes(number.long(entries, i * 12 + 8), width * length)
    fields.set(
      tag,
      Array.from({ length }, (_, k) => valueAt(held, type, k, number)),
    )
  }
  return {
    values: (tag) => fields.get(tag) ?? [],
    value: (tag, otherwise) => fields.get(tag)?.[0] ?? otherwise,
  }
}

function valueAt(held: Buffer, type: number, index: number, number: NumberReader): number {
  switch (type) {
    case 3:
    case 8:
      return number.short(held, 2 * index)
    case 4:
    case 9:
    case 13:
      return number.long(held, 4 * index)
    case 5:
    case 10: {
      const under = number.long(held, 8 * index + 4)
      return under === 0 ? 0 : number.long(held, 8 * index) / under
    }
    default:
      return held.readUInt8(index)
  }
}
