import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createDeflate } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { AppError } from '../../../../../errors.ts'
import type { ConvertedImage } from '../../messages.ts'
import { beginPdf, noRoom, PartTooLarge, type PdfFile } from '../parts/file.ts'
import { formOf, painter, type Form } from './colors.ts'
import { damagedTiff, readTiff, tags, type TiffDirectory, type TiffFile } from './directory.ts'
import { layoutOf, unsupportedTiff, type TiffLayout } from './layout.ts'
import { bandsOf, jpegOf } from './strips.ts'

/** Maximum bytes of a lossless page, above which it becomes a JPEG: the size of a scanned color page. */
const maxLossless = 3_000_000
const quality = 92

/** An image in a PDF. */
interface Embedded {
  readonly filter: 'FlateDecode' | 'DCTDecode'
  readonly form: Form
  readonly chunks: readonly Uint8Array[]
}

/**
 * Writes a TIFF as a PDF, one page for each of its pages, upright and in its paper size: lossless except for pages with
 * many colors. One segment of one page is unpacked at a time. Throws UNSUPPORTED_FORMAT and DAMAGED_FILE (with
 * `params.page`), LIMIT_EXCEEDED, FILE_TOO_LARGE, FILE_MISSING; nothing is left behind then.
 */
export async function convertTiff(
  path: string,
  to: string,
  maxBytes: number,
): Promise<ConvertedImage> {
  const input = opened(path)
  try {
    const file = onPage(0, () => readTiff(input))
    // Unreadable pages are reported before anything is written.
    const layouts = file.directories.map((directory, i) => onPage(i, () => layoutOf(directory)))
    const pdf = beginPdf(to, maxBytes)
    try {
      const kids: string[] = []
      for (const [i, directory] of file.directories.entries()) {
        const layout = layouts[i]
        if (!layout) continue
        const embedded = await onPage(i, () => embeddedOf(file, directory, layout))
        kids.push(writePage(pdf, 3 + 3 * i, sheetOf(directory, layout), layout, embedded))
      }
      object(pdf, 1, '<</Type/Catalog/Pages 2 0 R>>')
      object(pdf, 2, `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`)
      pdf.finish(1)
    } catch (error) {
      pdf.abandon()
      if (noRoom(error))
        throw new AppError('DISK_FULL', 'There is not enough disk space for the document', {
          cause: error,
        })
      if (!(error instanceof PartTooLarge)) throw error
      throw new AppError('FILE_TOO_LARGE', 'The TIFF is too large', { params: { limit: maxBytes } })
    }
    const [first] = layouts
    const { width = 0, height = 0 } = first ?? {}
    const mime = 'application/pdf'
    return {
      path: to,
      bytes: pdf.bytes,
      mime,
      width,
      height,
      from: 'tiff',
      scale: 1,
      quality: null,
    }
  } finally {
    closeSync(input)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new AppError('FILE_MISSING', 'The file cannot be opened', { cause })
  }
}

/** Adds the page number, from 1, to errors. */
function onPage<T>(index: number, work: () => T): T {
  const named = (error: unknown): never => {
    // Invalid offsets are the file's fault; errors of the file system are not.
    if (error instanceof RangeError) throw damagedTiff('an offset is out of range', index + 1)
    if (!(error instanceof AppError)) throw error
    const { code, message, params, cause } = error
    throw new AppError(code, message, { params: { ...params, page: index + 1 }, cause })
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(named) as T) : result
  } catch (error) {
    return named(error)
  }
}

async function embeddedOf(
  file: TiffFile,
  directory: TiffDirectory,
  layout: TiffLayout,
): Promise<Embedded> {
  const form = formOf(layout)
  if (layout.compression === 6)
    return { filter: 'DCTDecode', form: 'rgb', chunks: [oldJpeg(file, directory, layout)] }
  const jpeg = layout.compression === 7
  if (jpeg && layout.offsets.length === 1 && isWhole(layout)) {
    const chunks = [jpegOf(file, directory, layout, 0)]
    return { filter: 'DCTDecode', form: layout.colours === 'grey' ? 'grey' : 'rgb', chunks }
  }
  const lossless = jpeg ? null : await deflated(file, directory, layout)
  if (lossless) return { filter: 'FlateDecode', form, chunks: lossless }
  return { filter: 'DCTDecode', form: 'rgb', chunks: [await asJpeg(file, directory, layout)] }
}

const isWhole = ({ width, height, chunkWidth, chunkHeight }: TiffLayout): boolean =>
  chunkWidth === width && chunkHeight === height

/** JPEG as embedded in TIFF before 1995, if it is a complete file within the TIFF. */
function oldJpeg(file: TiffFile, { value }: TiffDirectory, layout: TiffLayout): Buffer {
  const at = value(tags.jpegAt, 0)
  const length = value(tags.jpegBytes, 0)
  if (at === 0 || length === 0) throw unsupportedTiff('old JPEG')
  const jpeg = file.bytes(at, length)
  const frame = sizeOfJpeg(jpeg)
  if (!frame) throw unsupportedTiff('old JPEG')
  if (frame.width !== layout.width || frame.height !== layout.height || frame.parts !== 3)
    throw damagedTiff('its JPEG has a different size')
  return jpeg
}

function sizeOfJpeg(
  jpeg: Buffer,
): { readonly width: number; readonly height: number; readonly parts: number } | null {
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 10 < jpeg.length;) {
    const marker = jpeg.readUInt16BE(at)
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return {
        width: jpeg.readUInt16BE(at + 7),
        height: jpeg.readUInt16BE(at + 5),
        parts: jpeg.readUInt8(at + 9),
      }
    if (marker < 0xffc3 || marker === 0xffda) return null
    at += 2 + jpeg.readUInt16BE(at + 2)
  }
  return null
}

/** Compresses the page without loss; returns null when it becomes too large. */
async function deflated(
  file: TiffFile,
  directory: TiffDirectory,
  layout: TiffLayout,
): Promise<Uint8Array[] | null> {
  const paint = painter(directory, layout)
  const limit = formOf(layout) === 'bits' ? Infinity : maxLossless
  const deflate = createDeflate()
  const chunks: Uint8Array[] = []
  let bytes = 0
  deflate.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
  })
  const ended = once(deflate, 'end')
  for await (const band of bandsOf(file, directory, layout)) {
    if (!deflate.write(paint(band))) await once(deflate, 'drain')
    if (bytes > limit) {
      deflate.destroy()
      ended.catch(() => undefined)
      return null
    }
  }
  deflate.end()
  await ended
  return bytes > limit ? null : chunks
}

async function asJpeg(
  file: TiffFile,
  directory: TiffDirectory,
  layout: TiffLayout,
): Promise<Uint8Array> {
  const paint = painter(directory, layout)
  const parts = formOf(layout) === 'grey' ? 1 : 3
  const canvas = createCanvas(layout.width, layout.height)
  const context = canvas.getContext('2d')
  try {
    for await (const band of bandsOf(file, directory, layout)) {
      const rows = paint(band)
      const image = context.createImageData(layout.width, band.rows)
      for (let i = 0, k = 0; k < image.data.length; i += parts, k += 4) {
        for (let part = 0; part < 3; part++)
          image.data[k + part] = rows[parts === 1 ? i : i + part] ?? 0
        image.data[k + 3] = 255
      }
      context.putImageData(image, 0, band.top)
    }
    return await canvas.encode('jpeg', quality)
  } finally {
    canvas.width = 0
    canvas.height = 0
  }
}

const spaces: Readonly<Record<Form, string>> = {
  bits: '/ColorSpace/DeviceGray/BitsPerComponent 1',
  grey: '/ColorSpace/DeviceGray/BitsPerComponent 8',
  rgb: '/ColorSpace/DeviceRGB/BitsPerComponent 8',
}

function writePage(
  pdf: PdfFile,
  number: number,
  { width, height, matrix }: Sheet,
  layout: TiffLayout,
  { filter, form, chunks }: Embedded,
): string {
  const box = `/MediaBox[0 0 ${width.toFixed(3)} ${height.toFixed(3)}]`
  const resources = `/Resources<</XObject<</P ${number + 2} 0 R>>>>`
  object(pdf, number, `<</Type/Page/Parent 2 0 R${box}/Contents ${number + 1} 0 R${resources}>>`)
  const content = `${matrix.map((part) => part.toFixed(3)).join(' ')} cm /P Do`
  object(pdf, number + 1, `<</Length ${content.length}>>\nstream\n${content}\nendstream`)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  pdf.begin(number + 2)
  pdf.text(
    `<</Type/XObject/Subtype/Image/Width ${layout.width}/Height ${layout.height}${spaces[form]}` +
      `/Filter/${filter}/Length ${length}>>\nstream\n`,
  )
  for (const chunk of chunks) pdf.raw(chunk)
  pdf.text('\nendstream')
  pdf.end()
  return `${number} 0 R`
}

function object(pdf: PdfFile, number: number, text: string): void {
  pdf.begin(number)
  pdf.text(text)
  pdf.end()
}

/** Paper size of a page, and how the unit square of an image is mapped to it. */
interface Sheet {
  /** In points (1/72 inch), upright. */
  readonly width: number
  readonly height: number
  readonly matrix: readonly number[]
}

/** Dots per inch of files that have no resolution, or one that no scanner or fax would write. */
const defaultDpi = 200
const minDpi = 36
const maxDpi = 4800
const centimetres = 2.54

/** Maximum side length of a page in points that PDF readers support. */
const maxSideLength = 14_400

/**
 * Returns the paper that a page was scanned from: faxes have different horizontal and vertical resolutions.
 */
function sheetOf(directory: TiffDirectory, { width, height }: TiffLayout): Sheet {
  const [across, down] = dotsOf(directory)
  const wide = (width * 72) / across
  const high = (height * 72) / down
  const shrink = Math.min(1, maxSideLength / Math.max(wide, high))
  const orientation = directory.value(tags.orientation, 1)
  const lying = orientation >= 5 && orientation <= 8
  const size = { width: wide * shrink, height: high * shrink }
  const sheet = lying ? { width: size.height, height: size.width } : size
  return { ...sheet, matrix: matrixOf(orientation, sheet.width, sheet.height) }
}

function dotsOf({ value }: TiffDirectory): readonly [across: number, down: number] {
  const unit = value(tags.resolutionUnit, 2)
  const scale = unit === 3 ? centimetres : 1
  const across = value(tags.xResolution, 0) * scale
  const down = value(tags.yResolution, across / scale) * scale
  const isReal = (dots: number): boolean => dots >= minDpi && dots <= maxDpi
  return unit !== 1 && isReal(across) && isReal(down) ? [across, down] : [defaultDpi, defaultDpi]
}

/**
 * Returns the position of the stored image on the page, by its orientation (TIFF 6.0, section 8): 1 means first row at
 * the top and first column at the left.
 */
function matrixOf(orientation: number, w: number, h: number): readonly number[] {
  switch (orientation) {
    case 2:
      return [-w, 0, 0, h, w, 0]
    case 3:
      return [-w, 0, 0, -h, w, h]
    case 4:
      return [w, 0, 0, -h, 0, h]
    case 5:
      return [0, -h, -w, 0, w, h]
    case 6:
      return [0, -h, w, 0, 0, h]
    case 7:
      return [0, h, w, 0, 0, 0]
    case 8:
      return [0, h, -w, 0, w, 0]
    default:
      return [w, 0, 0, h, 0, 0]
  }
}
