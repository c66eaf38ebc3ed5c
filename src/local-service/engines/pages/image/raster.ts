import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import { JobProblem } from '../../worker-port.ts'

/**
 * Maximum pixels of an image: each takes four bytes when unpacked, and a small file can contain a very large image.
 */
export const maxPixels = 64_000_000

/** Maximum pixels of the raster used for reading; larger images are scaled down to it. */
const maxRasterPixels = 16_000_000

/** Frees the pixels of a canvas immediately: garbage collection sees only the small wrapper object. */
export function freeCanvas(canvas: Canvas): void {
  canvas.width = 0
  canvas.height = 0
}

/** Draws an image upright on a white page of at most {@link maxRasterPixels} pixels. Throws `damaged`. */
export async function imageRaster(
  bytes: Uint8Array<ArrayBuffer>,
  kind: 'png' | 'jpeg',
): Promise<Canvas> {
  const header = imageHeader(bytes, kind)
  if (!header || header.width === 0 || header.height === 0)
    throw new JobProblem<'damaged'>('damaged', 'The image header can’t be read')
  const { width, height } = header
  if (width * height > maxPixels)
    throw new JobProblem<'damaged'>(
      'damaged',
      `The image has ${width} × ${height} pixels; the maximum is ${maxPixels / 1e6} million`,
    )
  const image = await loadImage(bytes).catch(() => {
    throw new JobProblem<'damaged'>('damaged', 'The image can’t be decoded')
  })
  const scale = Math.min(1, Math.sqrt(maxRasterPixels / (image.width * image.height)))
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  )
  const context = canvas.getContext('2d')
  // Transparent parts are drawn on white.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Image size from its header, before anything is decoded. */
interface ImageHeader {
  readonly width: number
  readonly height: number
  /** EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number
}

function pngHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (bytes.length < 33) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // IHDR is the first chunk of every PNG.
  if (view.getUint32(12) !== 0x49484452) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20), orientation: 1 }
}

/** Returns the orientation in an EXIF segment (`Exif\0\0` and a TIFF header); 1 if it is not specified. */
function exifOrientation(segment: Uint8Array): number {
  if (segment.length < 14 || String.fromCharCode(...segment.subarray(0, 4)) !== 'Exif') return 1
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6)
  const little = tiff.getUint16(0) === 0x4949
  const start = tiff.getUint32(4, little)
  if (start + 2 > tiff.byteLength) return 1
  const entries = tiff.getUint16(start, little)
  for (let i = 0; i < entries; i++) {
    const at = start + 2 + 12 * i
    if (at + 12 > tiff.byteLength) return 1
    if (tiff.getUint16(at, little) !== 0x0112) continue
    const value = tiff.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Whether a marker is a JPEG frame header; C4, C8 and CC are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let orientation = 1
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Fill bytes may precede a marker, and some markers have no payload.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2
      continue
    }
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    if (isFrame(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation }
    if (marker === 0xe1 && orientation === 1)
      orientation = exifOrientation(bytes.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
  return undefined
}

/** Reads the image header; undefined if the bytes are not an image of this type. */
function imageHeader(bytes: Uint8Array, kind: 'png' | 'jpeg'): ImageHeader | undefined {
  return kind === 'png' ? pngHeader(bytes) : jpegHeader(bytes)
}
