import type { SlidePage } from './deck.ts'
import { pageSize } from './page-layout.ts'
import { drawPage } from './page-image.ts'

/** Points per centimeter. */
const pointsPerCentimetre = 72 / 2.54

/** A requested page size: page number from 1, size in centimeters. */
export interface RequestedSize {
  readonly position: number
  readonly width: number
  readonly height: number
}

/** Size of a widescreen slide in centimeters. */
const defaultSize = { width: 33.867, height: 19.05 } as const

/** Renders a deck as a PDF with searchable text; each page keeps its aspect ratio within the requested size. */
export async function deckPdf(
  pages: readonly SlidePage[],
  sizes: readonly RequestedSize[],
): Promise<Uint8Array> {
  // Loaded lazily: a native module of about 30 MB that few requests need.
  const { PDFDocument } = await import('@napi-rs/canvas')
  const pdf = new PDFDocument({ title: pages[0]?.title ?? '' })
  for (const [i, page] of pages.entries()) {
    const size = sizes.find(({ position }) => position === i + 1) ?? defaultSize
    const width = size.width * pointsPerCentimetre
    const height = size.height * pointsPerCentimetre
    const pen = pdf.beginPage(width, height)
    const scale = Math.min(width / pageSize.width, height / pageSize.height)
    pen.translate((width - pageSize.width * scale) / 2, (height - pageSize.height * scale) / 2)
    pen.scale(scale, scale)
    drawPage(pen, page, i + 1)
    pdf.endPage()
  }
  return pdf.close()
}
