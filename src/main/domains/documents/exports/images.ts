import { readFile, stat } from 'node:fs/promises'
import type { ImageContent, ImageLoader } from './document-export-types.ts'

/** A crop that was verified to be an image. */
export interface ReadImage {
  readonly type: 'png' | 'jpg'
  /** Pixels, as displayed. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

/** Maximum size of a crop in an export, in bytes. */
const largest = 64 * 1024 * 1024

/**
 * Reads one crop, or one image given as a data URI instead of a URL. Returns null for anything but PNG and JPEG, and always
 * if no images are wanted.
 */
export async function readImage(
  images: ImageLoader | null,
  key: string | null,
): Promise<ReadImage | null> {
  if (key === null || images === null) return null
  const data = key.startsWith('data:') ? dataUri(key) : await images(key)
  if (!data) return null
  const bytes = await bytesOf(data)
  return bytes && imageOf(bytes)
}

async function bytesOf(data: ImageContent): Promise<Uint8Array | null> {
  if ('bytes' in data) return data.bytes
  try {
    const { size } = await stat(data.path)
    return size > largest ? null : await readFile(data.path)
  } catch (error) {
    // A missing crop must not fail the whole document.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function dataUri(address: string): ImageContent | null {
  const [, base64] = /^data:image\/(?:png|jpe?g);base64,([\w+/=\s]+)$/i.exec(address) ?? []
  return base64 === undefined ? null : { bytes: Buffer.from(base64, 'base64') }
}

/** Detects type and size from the bytes. */
export function imageOf(bytes: Uint8Array): ReadImage | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const png = bytes.length > 24 && view.getUint32(0) === 0x89504e47
  const size = png
    ? { type: 'png' as const, width: view.getUint32(16), height: view.getUint32(20) }
    : jpegSize(view)
  return size && size.width > 0 && size.height > 0 ? { ...size, bytes } : null
}

/** Walks the segments of a JPEG to its frame header (C0 to CF except the tables C4, C8 and CC). */
function jpegSize(view: DataView): Omit<ReadImage, 'bytes'> | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) return { type: 'jpg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    const alone = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    if (alone) at += marker === 0xff ? 1 : 2
    else at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}
