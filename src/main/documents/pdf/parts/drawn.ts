import { rm } from 'node:fs/promises'
import { AppError } from '../../../errors.ts'
import { removal } from '../../../../system/file-moves.ts'
import type { DocumentPart, Drawn } from '../../messages.ts'
import { fittingScale, onDrawnPage } from '../canvas.ts'
import { pageOf, type PdfDocument } from '../library.ts'
import { maxDrawnPixels } from '../page-image.ts'
import { beginPdf, type PdfFile } from './file.ts'

/** Pages to draw, and their target files. */
export interface DrawnOrder {
  readonly first: number
  readonly last: number
  readonly maxBytes: number
  /** Returns the name of the file that begins and ends with these pages. */
  nameOf(first: number, last: number): string
}

/** Rendering options of a page, best first. */
const ways: readonly Drawn[] = [
  { dpi: 200, quality: 85 },
  { dpi: 200, quality: 65 },
  { dpi: 150, quality: 60 },
  { dpi: 100, quality: 50 },
]

/** Bytes of a file in addition to its images: its header and trailer, and the overhead of each page. */
const around = 512
const aroundPage = 1024

interface DrawnPage extends Drawn {
  readonly number: number
  /** In points. */
  readonly width: number
  readonly height: number
  readonly pixelWidth: number
  readonly pixelHeight: number
  readonly jpeg: Uint8Array
}

/**
 * Writes pages as displayed into PDFs with one image per page, as many to a file as fit. Throws DAMAGED_FILE with
 * `params.page`.
 */
export async function drawParts(document: PdfDocument, order: DrawnOrder): Promise<DocumentPart[]> {
  const parts: DocumentPart[] = []
  let pages: DrawnPage[] = []
  let bytes = around
  const flush = (): void => {
    if (pages.length > 0) parts.push(writeDrawn(pages, order))
    pages = []
    bytes = around
  }
  try {
    for (let number = order.first; number <= order.last; number++) {
      const page = await drawnWithin(document, number, order.maxBytes - around - aroundPage)
      const size = page.jpeg.length + aroundPage
      if (bytes + size > order.maxBytes) flush()
      pages.push(page)
      bytes += size
    }
    flush()
    return parts
  } catch (error) {
    await Promise.all(parts.map(({ path }) => rm(path, removal)))
    throw error
  }
}

async function drawnWithin(
  document: PdfDocument,
  number: number,
  maxBytes: number,
): Promise<DrawnPage> {
  const page = await pageOf(document, number)
  const { width, height } = page.getViewport({ scale: 1 })
  for (const { dpi, quality } of ways) {
    const scale = fittingScale({ width, height }, dpi / 72, maxDrawnPixels)
    const drawn = await onDrawnPage(page, scale, null, async (canvas) => ({
      number,
      width,
      height,
      pixelWidth: canvas.width,
      pixelHeight: canvas.height,
      dpi: Math.round(scale * 72),
      quality,
      jpeg: await canvas.encode('jpeg', quality),
    }))
    if (drawn.jpeg.length <= maxBytes) return drawn
  }
  throw new AppError('FILE_TOO_LARGE', `Page ${number} is too large even as an image`, {
    params: { page: number, limit: maxBytes },
  })
}

function writeDrawn(pages: readonly DrawnPage[], order: DrawnOrder): DocumentPart {
  const first = pages[0]?.number ?? order.first
  const last = pages.at(-1)?.number ?? order.last
  const path = order.nameOf(first, last)
  const file = beginPdf(path, order.maxBytes)
  try {
    const kids = pages.map((page, i) => writePage(file, page, 3 + 3 * i))
    object(file, 1, '<</Type/Catalog/Pages 2 0 R>>')
    object(file, 2, `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`)
    file.finish(1)
  } catch (error) {
    file.abandon()
    throw error
  }
  const dpi = Math.min(...pages.map((page) => page.dpi))
  const quality = Math.min(...pages.map((page) => page.quality))
  const { bytes } = file
  return { first, last, path, bytes, mime: 'application/pdf', drawn: { dpi, quality } }
}

function writePage(file: PdfFile, page: DrawnPage, number: number): string {
  const { width, height, pixelWidth, pixelHeight, jpeg } = page
  const box = `/MediaBox[0 0 ${width.toFixed(3)} ${height.toFixed(3)}]`
  const resources = `/Resources<</XObject<</P ${number + 2} 0 R>>>>`
  object(file, number, `<</Type/Page/Parent 2 0 R${box}/Contents ${number + 1} 0 R${resources}>>`)
  const content = `${width.toFixed(3)} 0 0 ${height.toFixed(3)} 0 0 cm /P Do`
  object(file, number + 1, `<</Length ${content.length}>>\nstream\n${content}\nendstream`)
  file.begin(number + 2)
  file.text(
    `<</Type/XObject/Subtype/Image/Width ${pixelWidth}/Height ${pixelHeight}/ColorSpace/DeviceRGB` +
      `/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`,
  )
  file.raw(jpeg)
  file.text('\nendstream')
  file.end()
  return `${number} 0 R`
}

function object(file: PdfFile, number: number, text: string): void {
  file.begin(number)
  file.text(text)
  file.end()
}
