import { readFile, stat } from 'node:fs/promises'
import type { ImageContent, ImageLoader } from './types.ts'

/** A crop that is known to be a picture. */
export interface ReadImage {
  readonly type: 'png' | 'jpg'
  /** Pixels, as it is looked at. */
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

/** Largest crop that is taken into an export, in bytes. */
const largest = 64 * 1024 * 1024

/** Reads one crop, or one picture that stands as a data URI where its address would; null for what is no PNG or JPEG, and for everything where no pictures are wanted. */
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
    // A crop that is gone is no reason to lose the document.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function dataUri(address: string): ImageContent | null {
  const [, base64] = /^data:image\/(?:png|jpe?g);base64,([\w+/=\s]+)$/i.exec(address) ?? []
  return base64 === undefined ? null : { bytes: Buffer.from(base64, 'base64') }
}

/** Tells type and size from the bytes. */
export function imageOf(bytes: Uint8Array): ReadImage | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const png = bytes.length > 24 && view.getUint32(0) === 0x89504e47
  const size = png
    ? { type: 'png' as const, width: view.getUint32(16), height: view.getUint32(20) }
    : jpegSize(view)
  return size && size.width > 0 && size.height > 0 ? { ...size, bytes } : null
}

/** Walks a JPEG's segments to its frame header (C0 to CF but for the tables C4, C8 and CC). */
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
