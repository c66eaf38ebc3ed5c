import { readFile, stat } from 'node:fs/promises'
import { imageHeader } from '../../../../shared/documents/image-header.ts'
import type { ImageContent, ImageLoader } from './document-export-types.ts'

/** A crop that was verified to be an image. */
interface ReadImage {
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
  const header = imageHeader(bytes)
  if (!header || header.width === 0 || header.height === 0) return null
  const { type, width, height } = header
  return { type: type === 'jpeg' ? 'jpg' : type, width, height, bytes }
}
