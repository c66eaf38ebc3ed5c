import type { SKRSContext2D } from '@napi-rs/canvas'
import { fontFamilies, wrapped } from '../assistants/text-image.ts'
import type { SlidePage } from './deck.ts'
import { pageFonts, pageRoom, pageSize, rowsOf } from './page-layout.ts'

const ink = { paper: '#fbfaf7', title: '#1f2430', text: '#333a48', accent: '#2f6f6a' } as const

/** Canvas methods needed to draw a page; the canvas of a PDF has them too. */
type Pen = Pick<
  SKRSContext2D,
  | 'font'
  | 'fillStyle'
  | 'textBaseline'
  | 'measureText'
  | 'fillText'
  | 'fillRect'
  | 'beginPath'
  | 'arc'
  | 'fill'
>

function titlePage(pen: Pen, title: string): void {
  pen.font = pageFonts.cover
  const lines = wrapped(pen, title, pageRoom.titleWidth, pageRoom.coverRows)
  const from = pageSize.height / 2 - ((lines.length - 1) * 80) / 2
  for (const [i, line] of lines.entries()) pen.fillText(line, pageRoom.margin, from + i * 80)
}

function listPage(pen: Pen, { title, lines }: SlidePage): void {
  pen.font = pageFonts.title
  const titleRows = wrapped(pen, title, pageRoom.titleWidth, pageRoom.titleRows)
  for (const [i, row] of titleRows.entries())
    pen.fillText(row, pageRoom.margin, pageRoom.titleTop + i * pageRoom.titleStep)
  let y = pageRoom.top(titleRows.length)
  for (const line of lines) {
    const x = pageRoom.left(line.level)
    const { rows, texts } = rowsOf(pen, line)
    pen.fillStyle = ink.accent
    pen.beginPath()
    pen.arc(x - 20, y, line.level === 0 ? 6 : 4, 0, 2 * Math.PI)
    if (!line.continued) pen.fill()
    pen.fillStyle = ink.text
    for (const [i, row] of texts.entries()) pen.fillText(row, x, y + i * pageRoom.rowStep)
    y = pageRoom.after(y, rows)
  }
}

/**
 * Draws a page of {@link pageSize} on an image or a PDF. The page must already have been fitted. `number`: from 1.
 */
export function drawPage(pen: Pen, page: SlidePage, number: number): void {
  const { width, height } = pageSize
  pen.fillStyle = ink.paper
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = ink.accent
  pen.fillRect(0, 0, 14, height)
  pen.textBaseline = 'middle'
  pen.fillStyle = ink.title
  if (page.lines.length === 0) titlePage(pen, page.title)
  else listPage(pen, page)
  pen.fillStyle = ink.text
  pen.font = `20px ${fontFamilies}`
  pen.fillText(String(number), width - 60, height - 40)
}

/** Renders a page as PNG. `number`: from 1. */
export async function pageImage(page: SlidePage, number: number): Promise<Uint8Array> {
  // Loaded lazily: a native module of about 30 MB that few requests need.
  const { createCanvas } = await import('@napi-rs/canvas')
  const canvas = createCanvas(pageSize.width, pageSize.height)
  drawPage(canvas.getContext('2d'), page, number)
  return canvas.encode('png')
}
