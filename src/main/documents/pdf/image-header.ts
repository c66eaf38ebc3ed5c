import type { FileHandle } from 'node:fs/promises'
import type { PageSize } from '../../../shared/model/document.ts'

/** Pictures that can be told by their first bytes. */
export type PictureKind =
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'gif'
  | 'bmp'
  | 'avif'
  | 'tiff'
  | 'heic'
  | 'unknown'

/** Tells a picture from its first 16 bytes, never from its name. */
export function pictureKind(head: Buffer): PictureKind {
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

/** Size of a PNG or JPEG in pixels as it is looked at (its orientation applied); null when its header does not tell. */
export async function pictureSize(
  handle: FileHandle,
  kind: 'png' | 'jpeg',
): Promise<PageSize | null> {
  const size = kind === 'png' ? await pngSize(handle) : await jpegSize(handle)
  return size && size.width > 0 && size.height > 0 ? size : null
}

async function piece(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

async function pngSize(handle: FileHandle): Promise<PageSize | null> {
  const head = await piece(handle, 0, 24)
  if (head.length < 24 || head.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

/** Segments before the one that tells the size; profiles and previews come in many. */
const mostSegments = 2000

async function jpegSize(handle: FileHandle): Promise<PageSize | null> {
  let turned = false
  let at = 2
  for (let i = 0; i < mostSegments; i++) {
    const head = await piece(handle, at, 9)
    if (head.length < 9 || head[0] !== 0xff) return null
    const marker = head[1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) {
      const height = head.readUInt16BE(5)
      const width = head.readUInt16BE(7)
      return turned ? { width: height, height: width } : { width, height }
    }
    if (marker === 0xd9 || marker === 0xda) return null
    const length = head.readUInt16BE(2)
    if (marker === 0xe1) turned ||= isTurned(await piece(handle, at + 4, length - 2))
    at += 2 + length
  }
  return null
}

/** Frames of all ways of coding; the three other codes in their row are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Whether an Exif segment says that the picture lies on its side (orientations 5 to 8). */
function isTurned(segment: Buffer): boolean {
  if (!segment.toString('latin1', 0, 6).startsWith('Exif\0\0')) return false
  const tiff = segment.subarray(6)
  if (tiff.length < 8) return false
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let i = 0; i < short(start); i++) {
    const entry = start + 2 + 12 * i
    if (short(entry) === 0x0112) return short(entry + 8) >= 5 && short(entry + 8) <= 8
  }
  return false
}
