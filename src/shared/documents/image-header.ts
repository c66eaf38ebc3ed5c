/** Facts in the header of a PNG or JPEG, read before anything is decoded. */
interface ImageHeader {
  readonly type: 'png' | 'jpeg'
  /** Stored pixels, before any rotation. */
  readonly width: number
  readonly height: number
  /** Exif orientation, 1 (upright) to 8; from 5 on, the image is displayed with its sides exchanged. */
  readonly orientation: number
  /** Whether a JPEG has markers in front of its frame that decoders skip in different ways. */
  readonly isIrregular: boolean
}

/** Bytes of the file that are needed next; fewer at its end. */
interface Part {
  readonly at: number
  readonly length: number
}

/** Maximum number of segments before the one with the size; profiles and previews consist of many. */
const maxSegments = 2000

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Reads the header of a PNG or JPEG; null for anything else, whatever its name claims. Yields the parts of the file that it needs,
 * so that the caller decides how to read them.
 */
export function* readImageHeader(): Generator<Part, ImageHeader | null, Uint8Array> {
  try {
    const start = viewOf(yield { at: 0, length: 24 })
    if (start.getUint16(0) === 0xffd8) return yield* readJpegHeader()
    const isPng =
      start.getUint32(0) === 0x89504e47 &&
      start.getUint32(4) === 0x0d0a1a0a &&
      start.getUint32(12) === 0x49484452
    if (!isPng) return null
    const [width, height] = [start.getUint32(16), start.getUint32(20)]
    return { type: 'png', width, height, orientation: 1, isIrregular: false }
  } catch {
    // The data ends within the header.
    return null
  }
}

/** Walks from segment to segment to the frame header: all encodings are C0 to CF, except the tables C4, C8 and CC. */
function* readJpegHeader(): Generator<Part, ImageHeader | null, Uint8Array> {
  let orientation = 1
  let isIrregular = false
  for (let at = 2, segments = 0; segments < maxSegments; segments++) {
    const head = viewOf(yield { at, length: 9 })
    if (head.getUint8(0) !== 0xff) return null
    const marker = head.getUint8(1)
    if (marker === 0xff) {
      // A fill byte.
      at += 1
      continue
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      isIrregular = true
      at += 2
      continue
    }
    if (marker < 0xc0 || marker === 0xd9 || marker === 0xda) return null
    if (marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const [height, width] = [head.getUint16(5), head.getUint16(7)]
      return { type: 'jpeg', width, height, orientation, isIrregular }
    }
    const length = head.getUint16(2)
    if (length < 2) return null
    if (marker === 0xe1 && orientation === 1)
      orientation = exifOrientation(viewOf(yield { at: at + 4, length: length - 2 }))
    at += 2 + length
  }
  return null
}

/** Returns the orientation in an Exif segment (`Exif\0\0` and a TIFF header); 1 if it has none. */
function exifOrientation(segment: DataView): number {
  const tiff = 6
  try {
    if (segment.getUint32(0) !== 0x45786966 || segment.getUint16(4) !== 0) return 1
    const little = segment.getUint16(tiff) === 0x4949
    const start = tiff + segment.getUint32(tiff + 4, little)
    const entries = segment.getUint16(start, little)
    for (let at = start + 2; at < start + 2 + 12 * entries; at += 12) {
      if (segment.getUint16(at, little) !== 0x0112) continue
      const value = segment.getUint16(at + 8, little)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch {
    // The segment ends within its list.
  }
  return 1
}

/** Reads the header of an image in memory, of which the beginning is enough. */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const reading = readImageHeader()
  let step = reading.next(bytes)
  while (!step.done) {
    const { at, length } = step.value
    step = reading.next(bytes.subarray(at, at + length))
  }
  return step.value
}
