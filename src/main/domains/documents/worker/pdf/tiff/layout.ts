import { AppError } from '../../../../../errors.ts'
import { refuseHuge } from '../../../../../platform/files/image-header.ts'
import { damagedTiff, tags, type TiffDirectory } from './directory.ts'

/** Meaning of the numbers of a pixel. */
type Colors = 'grey' | 'rgb' | 'palette' | 'cmyk' | 'ycbcr'

/** Validated layout of a page in the file. */
export interface TiffLayout {
  /** In pixels, as stored. */
  readonly width: number
  readonly height: number
  readonly compression: number
  readonly colours: Colors
  /** 0 is white. */
  readonly inverted: boolean
  /** Samples of a pixel, and bits of each. */
  readonly samples: number
  readonly bits: number
  /** Sample with the opacity of the pixel; null when there is none. */
  readonly alpha: { readonly at: number; readonly multiplied: boolean } | null
  /** Samples are stored in separate planes. */
  readonly planar: boolean
  readonly predicted: boolean
  readonly reversedBits: boolean
  /** Size of the segments in which the page is stored: strips across the page, or tiles. */
  readonly chunkWidth: number
  readonly chunkHeight: number
  readonly offsets: readonly number[]
  readonly counts: readonly number[]
}

const names: Readonly<Record<number, string>> = {
  6: 'old JPEG',
  32771: 'CCITT RLE (words)',
  32809: 'ThunderScan',
  32908: 'Pixar film',
  32909: 'Pixar log',
  34661: 'JBIG',
  34663: 'JBIG2',
  34676: 'SGI log',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50001: 'WebP',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}

/**
 * 1 none, 2 to 4 CCITT, 5 LZW, 6 old JPEG (as a complete file within), 7 JPEG, 8 and 32946 zlib, 32773 PackBits.
 */
const readable = new Set([1, 2, 3, 4, 5, 6, 7, 8, 32773, 32946])

/** Creates the error for a TIFF that may be valid but is not supported; `what` is its technical term. */
export const unsupportedTiff = (what: string): AppError =>
  new AppError('UNSUPPORTED_FORMAT', `TIFF images of this type are not supported: ${what}`, {
    params: { kind: `TIFF (${what})` },
  })

const colorsOf: Readonly<Record<number, Colors>> = {
  0: 'grey',
  1: 'grey',
  2: 'rgb',
  3: 'palette',
  5: 'cmyk',
  6: 'ycbcr',
}

const ownSamples: Readonly<Record<Colors, number>> = {
  grey: 1,
  rgb: 3,
  palette: 1,
  cmyk: 4,
  ycbcr: 3,
}

/** Maximum number of bytes of one segment that is unpacked at once. */
const maxStripBytes = 600_000_000

/** Checks precisely whether a page can be read. Throws UNSUPPORTED_FORMAT, DAMAGED_FILE, LIMIT_EXCEEDED. */
export function layoutOf(directory: TiffDirectory): TiffLayout {
  const { value, values } = directory
  const width = value(tags.width, 0)
  const height = value(tags.height, 0)
  if (width === 0 || height === 0) throw damagedTiff('a page has no size')
  refuseHuge(width, height)
  const compression = value(tags.compression, 1)
  if (!readable.has(compression))
    throw unsupportedTiff(names[compression] ?? `compression ${compression}`)
  const photometric = value(tags.photometric, compression >= 2 && compression <= 4 ? 0 : -1)
  const colours = colorsOf[photometric]
  if (!colours) throw unsupportedTiff(`photometric ${photometric}`)
  const jpeg = compression === 6 || compression === 7
  const fax = compression >= 2 && compression <= 4
  const samples = value(tags.samples, 1)
  const [bits = 1, ...others] = values(tags.bits)
  if (others.some((other) => other !== bits)) throw unsupportedTiff('mixed bits')
  if (![1, 2, 4, 8, 16].includes(bits)) throw unsupportedTiff(`${bits} bit`)
  if (values(tags.sampleFormat).some((format) => format !== 1 && format !== 4))
    throw unsupportedTiff('sample format')
  if (samples < ownSamples[colours] || samples > 8)
    throw damagedTiff('the number of samples per pixel does not match the color space')
  if (colours === 'ycbcr' && !jpeg) throw unsupportedTiff('YCbCr')
  if (colours === 'cmyk' && (jpeg || value(tags.inkSet, 1) !== 1)) throw unsupportedTiff('inks')
  if (colours === 'palette' && bits > 8) throw unsupportedTiff(`palette, ${bits} bit`)
  if (fax && (samples !== 1 || bits !== 1))
    throw damagedTiff('fax compression requires one bit per pixel')
  if (jpeg && bits !== 8) throw unsupportedTiff(`JPEG, ${bits} bit`)
  const predictor = jpeg || fax ? 1 : value(tags.predictor, 1)
  if (predictor > 2 || (predictor === 2 && bits < 8))
    throw unsupportedTiff(`predictor ${predictor}`)
  const planar = samples > 1 && value(tags.planes, 1) === 2
  if (planar && (jpeg || bits < 8)) throw unsupportedTiff('planar')
  const layout = {
    width,
    height,
    compression,
    colours,
    inverted: photometric === 0,
    samples,
    bits,
    alpha: alphaOf(directory, colours, samples),
    planar,
    predicted: predictor === 2,
    reversedBits: value(tags.fillOrder, 1) === 2,
    ...chunksOf(directory, width, height),
  }
  if (compression !== 6) checkStrips(layout)
  return compression === 1 && layout.chunkHeight === height ? inBands(layout) : layout
}

/** Bytes of contiguous uncompressed rows that are read at a time. */
const bandBytes = 8_000_000

/**
 * Uncompressed data need not be read at once: a page in one contiguous segment is divided into segments of a few rows.
 */
function inBands(layout: TiffLayout): TiffLayout {
  const { width, height, chunkWidth, planar, samples, bits } = layout
  const rowBytes = Math.ceil((width * (planar ? 1 : samples) * bits) / 8)
  const rows = Math.max(1, Math.floor(bandBytes / rowBytes))
  if (chunkWidth !== width || rows >= height) return layout
  const offsets: number[] = []
  const counts: number[] = []
  for (const [plane, offset] of layout.offsets.entries()) {
    const end = layout.counts[plane] ?? 0
    for (let row = 0; row < height; row += rows) {
      const at = row * rowBytes
      offsets.push(offset + at)
      // A segment that is too short is detected when it is read.
      counts.push(Math.max(0, Math.min(end - at, rows * rowBytes)))
    }
  }
  return { ...layout, chunkHeight: rows, offsets, counts }
}

function alphaOf({ values }: TiffDirectory, colours: Colors, samples: number): TiffLayout['alpha'] {
  const first = ownSamples[colours]
  const extra = values(tags.extraSamples)
  const at = extra.findIndex((kind) => kind === 1 || kind === 2)
  if (at < 0 || first + at >= samples) return null
  return { at: first + at, multiplied: extra[at] === 1 }
}

function chunksOf(
  { value, values }: TiffDirectory,
  width: number,
  height: number,
): Pick<TiffLayout, 'chunkWidth' | 'chunkHeight' | 'offsets' | 'counts'> {
  const chunkWidth = value(tags.tileWidth, 0)
  const chunkHeight = value(tags.tileHeight, 0)
  if (chunkWidth > 0 && chunkHeight > 0)
    return {
      chunkWidth,
      chunkHeight,
      offsets: values(tags.tileOffsets),
      counts: values(tags.tileBytes),
    }
  return {
    chunkWidth: width,
    chunkHeight: Math.max(1, Math.min(height, value(tags.rowsPerStrip, height))),
    offsets: values(tags.stripOffsets),
    counts: values(tags.stripBytes),
  }
}

function checkStrips(layout: TiffLayout): void {
  const { width, height, chunkWidth, chunkHeight, planar, samples, bits } = layout
  const across = Math.ceil(width / chunkWidth)
  const down = Math.ceil(height / chunkHeight)
  const count = across * down * (planar ? samples : 1)
  if (layout.offsets.length < count || layout.counts.length < count)
    throw damagedTiff('strips or tiles of a page are missing')
  const bytes = (chunkWidth * chunkHeight * samples * bits) / 8
  if (bytes > maxStripBytes)
    throw new AppError('LIMIT_EXCEEDED', 'A strip or tile of the TIFF is too large', {
      params: { what: 'bytes', limit: maxStripBytes, value: bytes },
    })
}
