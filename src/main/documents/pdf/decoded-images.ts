import { loadImage, type Canvas, type Image } from '@napi-rs/canvas'
import { readFile } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { decodeHeic } from './heic.ts'
import { headOf, imageKind, refuseHuge, type ImageKind } from './image-header.ts'
import { openFile } from './library.ts'

/** Pixels that can be drawn, and their source format. */
export interface DecodedImage {
  readonly image: Image | Canvas
  readonly kind: ImageKind
}

/**
 * Decodes an image, upright. Throws UNSUPPORTED_FORMAT, DAMAGED_FILE, EMPTY_FILE, LIMIT_EXCEEDED; the last before
 * anything is unpacked.
 */
export async function decodedImage(path: string): Promise<DecodedImage> {
  const kind = await kindWithinBounds(path)
  const bytes = await readFile(path)
  if (kind === 'heic') return { image: await decodeHeic(bytes, refuseHuge), kind }
  const image = await loadImage(bytes).catch((error: unknown) => {
    throw new AppError('DAMAGED_FILE', 'The image cannot be decoded', { cause: error })
  })
  if (image.width === 0 || image.height === 0)
    throw new AppError('DAMAGED_FILE', 'The image has no pixels')
  return { image, kind }
}

/** Detects the type of a file from its first bytes. Throws EMPTY_FILE, FILE_MISSING. */
export async function kindOfImage(path: string): Promise<ImageKind> {
  const handle = await openFile(path)
  try {
    const head = Buffer.alloc(16)
    const { bytesRead } = await handle.read(head, 0, 16, 0)
    if (bytesRead === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
    return imageKind(head)
  } finally {
    await handle.close()
  }
}

/** Returns the type of an image that can be decoded and is within the size limits. */
async function kindWithinBounds(path: string): Promise<ImageKind> {
  const kind = await kindOfImage(path)
  if (kind === 'unknown' || kind === 'tiff')
    throw new AppError('UNSUPPORTED_FORMAT', `Images of this type are not supported: ${kind}`)
  const head = await headOf(path, kind)
  if (!head) throw new AppError('DAMAGED_FILE', 'The image header cannot be read')
  refuseHuge(head.width, head.height)
  return kind
}
