import { open, type FileHandle } from 'node:fs/promises'
import { readImageHeader } from '../../../shared/documents/image-header.ts'
import type { PageSize } from '../../../shared/model/document.ts'
import { AppError } from '../../errors.ts'

/** Image formats that can be recognized by their first bytes. */
export type ImageKind =
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'gif'
  | 'bmp'
  | 'avif'
  | 'tiff'
  | 'heic'
  | 'unknown'

/** Recognizes an image format by its first 16 bytes, never by its name. */
export function imageKind(head: Buffer): ImageKind {
  const text = head.toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp'
  if (text.startsWith('GIF8')) return 'gif'
  if (text.startsWith('BM')) return 'bmp'
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff'
  if (text.slice(4, 8) !== 'ftyp') return 'unknown'
  if (/^avi[fs]/.test(text.slice(8))) return 'avif'
  return /^(hei|hev|mif|msf)/.test(text.slice(8)) ? 'heic' : 'unknown'
}

/** Properties of an image from its header. */
interface ImageHead extends PageSize {
  /** Exif orientation of a JPEG, 1 (upright) to 8; the size is that of the upright image. */
  readonly orientation: number
}

/**
 * Reads the size of an image in pixels from its header alone: of a JPEG as displayed, of containers the largest size
 * they contain. Null when the header has none. TIFF has its own reader.
 */
export async function imageHead(
  handle: FileHandle,
  kind: Exclude<ImageKind, 'tiff' | 'unknown'>,
): Promise<ImageHead | null> {
  if (kind === 'png' || kind === 'jpeg') return withArea(await storedHead(handle))
  const size = await otherSize(handle, kind)
  return withArea(size && { ...size, orientation: 1 })
}

/** Detects the type of a file from its first bytes. Throws errors of the file system. */
export async function kindOfFile(path: string): Promise<ImageKind> {
  const handle = await open(path, 'r')
  try {
    return imageKind(await readBytes(handle, 0, 16))
  } finally {
    await handle.close()
  }
}

/** Reads the image header of a file. Throws errors of the file system. */
export async function headOf(
  path: string,
  kind: Parameters<typeof imageHead>[1],
): Promise<ImageHead | null> {
  const handle = await open(path, 'r')
  try {
    return await imageHead(handle, kind)
  } finally {
    await handle.close()
  }
}

/**
 * Maximum number of pixels of an image: each takes four bytes when unpacked, and a small file can contain a huge image.
 */
const maxImagePixels = 100_000_000

/** Throws LIMIT_EXCEEDED for an image with too many pixels. */
export function refuseHuge(width: number, height: number): void {
  if (width * height <= maxImagePixels) return
  throw new AppError('LIMIT_EXCEEDED', 'The image has too many pixels', {
    params: { what: 'pixels', problem: 'pixels', limit: maxImagePixels, value: width * height },
  })
}

/**
 * Returns the Exif orientation of an image, 1 (upright) to 8; 1 when it has none. Reads only the header; throws errors
 * of the file system.
 */
export async function orientationOf(path: string): Promise<number> {
  const handle = await open(path, 'r')
  try {
    return (await storedHead(handle))?.orientation ?? 1
  } finally {
    await handle.close()
  }
}

const withArea = (head: ImageHead | null): ImageHead | null =>
  head && head.width > 0 && head.height > 0 ? head : null

async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

/** Reads the header of a PNG or JPEG, of a JPEG as displayed. */
async function storedHead(handle: FileHandle): Promise<ImageHead | null> {
  const reading = readImageHeader()
  let step = reading.next(new Uint8Array(0))
  while (!step.done) step = reading.next(await readBytes(handle, step.value.at, step.value.length))
  if (!step.value) return null
  const { width, height, orientation } = step.value
  return orientation >= 5
    ? { width: height, height: width, orientation }
    : { width, height, orientation }
}

/**
 * Bytes at the start of a file within which these formats contain their size; what cameras write before it is shorter.
 */
const headBytes = 256 * 1024

/**
 * Reads the size of an image in pixels from its header alone, before anything is unpacked: the largest in the header.
 */
async function otherSize(
  handle: FileHandle,
  kind: 'webp' | 'gif' | 'bmp' | 'avif' | 'heic',
): Promise<PageSize | null> {
  const bytes = Buffer.alloc(headBytes)
  const { bytesRead } = await handle.read(bytes, 0, headBytes, 0)
  const head = bytes.subarray(0, bytesRead)
  // A read beyond the end of a truncated file: it has no size then.
  try {
    switch (kind) {
      case 'webp':
        return webpSize(head)
      case 'gif':
        return gifSize(head)
      case 'bmp':
        return bmpSize(head)
      case 'avif':
      case 'heic':
        return containerSize(head)
    }
  } catch {
    return null
  }
}

function webpSize(head: Buffer): PageSize | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** The first frame of a GIF can be larger than its screen; decoders then enlarge the screen. */
function gifSize(head: Buffer): PageSize | null {
  const screen = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  const flags = head.readUInt8(10)
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  while (head.readUInt8(at) === 0x21) {
    at += 2
    while (head.readUInt8(at) !== 0) at += head.readUInt8(at) + 1
    at += 1
  }
  if (head.readUInt8(at) !== 0x2c) return null
  const right = head.readUInt16LE(at + 1) + head.readUInt16LE(at + 5)
  const bottom = head.readUInt16LE(at + 3) + head.readUInt16LE(at + 7)
  return { width: Math.max(screen.width, right), height: Math.max(screen.height, bottom) }
}

function bmpSize(head: Buffer): PageSize {
  const old = head.readUInt32LE(14) === 12
  if (old) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
  // A negative height means that rows are stored from top to bottom.
  return { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) }
}

/**
 * Returns the largest of the sizes (`ispe`) in an ISO container: of the image, its tiles and its thumbnails.
 */
function containerSize(head: Buffer): PageSize | null {
  let largest: PageSize | null = null
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
