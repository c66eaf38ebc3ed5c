import type { SlidePage } from './deck.ts'
import { pageSize } from './page-layout.ts'
import { drawPage } from './page-image.ts'

/** Points of a centimetre. */
const pointsPerCentimetre = 72 / 2.54

/** A size that was asked for: page number from 1, centimetres. */
export interface RequestedSize {
  readonly position: number
  readonly width: number
  readonly height: number
}

/** A widescreen slide, centimetres. */
const defaultSize = { width: 33.867, height: 19.05 } as const

/** A deck as PDF, with text that can be searched; each page keeps its proportions within the size that was asked for. */
export async function deckPdf(
  pages: readonly SlidePage[],
  sizes: readonly RequestedSize[],
): Promise<Uint8Array> {
  // A native module of some thirty megabytes, needed by few calls.
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
