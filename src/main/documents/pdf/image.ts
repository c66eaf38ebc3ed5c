import type { Canvas, Image } from '@napi-rs/canvas'
import { writeFile } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import type { ConvertedImage } from '../messages.ts'
import { onCanvas } from './canvas.ts'
import { decodedImage } from './decoded-images.ts'
import { noRoom } from './parts/file.ts'

/** One attempt to write an image: each is smaller than the one before, until one fits. */
interface Attempt {
  readonly scale: number
  /** Null writes a PNG. */
  readonly quality: number | null
}

/** Photographs become a JPEG immediately; a scale of 0.7 halves the pixels. */
const attempts: readonly Attempt[] = [
  { scale: 1, quality: null },
  { scale: 1, quality: 92 },
  { scale: 1, quality: 80 },
  { scale: 0.7, quality: 85 },
  { scale: 0.5, quality: 85 },
  { scale: 0.35, quality: 80 },
  { scale: 0.2, quality: 80 },
  { scale: 0.1, quality: 75 },
]

/** Lossy formats: as a PNG they would be large and no better. */
const photographs = new Set(['jpeg', 'heic'])

/** Pixels above which no PNG is tried: it would take seconds and become too large. */
const maxPngPixels = 16_000_000

/**
 * Writes an image in a format that the provider accepts: an upright PNG or JPEG on white, as large as fits into
 * `maxBytes`. Throws UNSUPPORTED_FORMAT, DAMAGED_FILE, EMPTY_FILE, LIMIT_EXCEEDED, FILE_MISSING.
 */
export async function convertImage(
  path: string,
  to: string,
  maxBytes: number,
): Promise<ConvertedImage> {
  const { image, kind: from } = await decodedImage(path)
  const lossless = !photographs.has(from) && image.width * image.height <= maxPngPixels
  for (const attempt of attempts.slice(lossless ? 0 : 1)) {
    const { width, height, bytes } = await written(image, attempt)
    if (bytes.length > maxBytes) continue
    await writeFile(to, bytes).catch((error: unknown) => {
      throw noRoom(error)
        ? new AppError('DISK_FULL', 'There is not enough disk space for the image', {
            cause: error,
          })
        : error
    })
    const mime = attempt.quality === null ? 'image/png' : 'image/jpeg'
    return { path: to, bytes: bytes.length, mime, width, height, from, ...attempt }
  }
  throw new AppError('FILE_TOO_LARGE', 'The image cannot be reduced to the size limit', {
    params: { limit: maxBytes },
  })
}

function written(
  image: Image | Canvas,
  { scale, quality }: Attempt,
): Promise<{ readonly width: number; readonly height: number; readonly bytes: Uint8Array }> {
  const size = { width: image.width * scale, height: image.height * scale }
  return onCanvas(size, async (canvas) => {
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    const bytes = await (quality === null ? canvas.encode('png') : canvas.encode('jpeg', quality))
    return { width: canvas.width, height: canvas.height, bytes }
  })
}
