import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { loadImage, type Canvas, type Image, createCanvas } from '@napi-rs/canvas'
import { AppError } from '../../../../errors.ts'
import {
  headOf,
  imageKind,
  refuseHuge,
  type ImageKind,
} from '../../../../platform/files/image-header.ts'
import { openFile } from './library.ts'

/** Pixels that can be drawn, and their source format. */
interface DecodedImage {
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

/** One image of a container. */
interface HeifImage {
  readonly handle: unknown
  get_width(): number
  get_height(): number
  is_primary(): boolean
}

/** Pixels of four bytes (red, green, blue, alpha); each row begins `stride` bytes after the previous one. */
interface Plane {
  readonly id: unknown
  readonly stride: number
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

interface HeifLibrary {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] }
  readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown }
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown }
  readonly heif_channel: { readonly heif_channel_interleaved: unknown }
  /** Decodes an image; an object with a code reports an error. */
  heif_js_decode_image2(
    handle: unknown,
    space: unknown,
    chroma: unknown,
  ): Promise<{ readonly channels?: readonly Plane[] } | undefined>
}

/**
 * Decodes the main image of a HEIC file (as phones write them), turned upright. `bound` is called with its size before
 * anything is unpacked, and throws to reject it. Throws DAMAGED_FILE.
 */
async function decodeHeic(
  bytes: Uint8Array,
  bound: (width: number, height: number) => void,
): Promise<Canvas> {
  try {
    const library = await loadLibHeif()
    const images = new library.HeifDecoder().decode(bytes)
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (!image) throw new Error('The file contains no image')
    bound(image.get_width(), image.get_height())
    return canvasOf(await planeOf(library, image))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('DAMAGED_FILE', 'The image cannot be decoded', { cause: error })
  }
}

/**
 * Loads a new instance of libheif (LGPL, wasm, separate files): the memory used by an image is freed with its instance.
 */
async function loadLibHeif(): Promise<HeifLibrary> {
  const require = createRequire(import.meta.url)
  const name = 'libheif-js/libheif-wasm/libheif'
  const make = require(`${name}.js`) as (options: {
    readonly wasmBinary: Uint8Array
    print(): void
    printErr(): void
  }) => HeifLibrary
  const wasmBinary = await readFile(require.resolve(`${name}.wasm`))
  // The library's own messages about damage are discarded: the outcome is in the result.
  return make({ wasmBinary, print: () => {}, printErr: () => {} })
}

async function planeOf(library: HeifLibrary, { handle }: HeifImage): Promise<Plane> {
  const { heif_colorspace_RGB: space } = library.heif_colorspace
  const { heif_chroma_interleaved_RGBA: chroma } = library.heif_chroma
  const decoded = await library.heif_js_decode_image2(handle, space, chroma)
  const wanted = library.heif_channel.heif_channel_interleaved
  const plane = decoded?.channels?.find(({ id }) => id === wanted)
  if (!plane) throw new Error('The image cannot be decompressed')
  return plane
}

/** Bytes of pixels that are copied to the canvas at a time. */
const bandBytes = 16 * 1024 * 1024

function canvasOf({ data, stride, width, height }: Plane): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const rows = Math.max(1, Math.floor(bandBytes / (width * 4)))
  for (let top = 0; top < height; top += rows) {
    const band = context.createImageData(width, Math.min(rows, height - top))
    for (let y = 0; y < band.height; y++) {
      const from = (top + y) * stride
      band.data.set(data.subarray(from, from + width * 4), y * width * 4)
    }
    context.putImageData(band, 0, top)
  }
  return canvas
}
