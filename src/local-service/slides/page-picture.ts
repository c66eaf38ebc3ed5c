import type { SKRSContext2D } from '@napi-rs/canvas'
import { fontFamilies, wrapped } from '../assistants/picture.ts'
import type { SlidePage } from './deck.ts'

/** Pixels of a page's picture. */
export const pageSize = { width: 1280, height: 720 } as const

const ink = { paper: '#fbfaf7', title: '#1f2430', text: '#333a48', accent: '#2f6f6a' } as const

const margin = 90

/** What a page needs of a canvas; one of a PDF has it as well. */
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
  const { width, height } = pageSize
  pen.font = `bold 64px ${fontFamilies}`
  const lines = wrapped(pen, title, width - 2 * margin, 4)
  const from = height / 2 - ((lines.length - 1) * 80) / 2
  for (const [i, line] of lines.entries()) pen.fillText(line, margin, from + i * 80)
}

function listPage(pen: Pen, { title, lines }: SlidePage): void {
  const { width, height } = pageSize
  pen.font = `bold 46px ${fontFamilies}`
  let y = margin + 20
  for (const line of wrapped(pen, title, width - 2 * margin, 2)) {
    pen.fillText(line, margin, y)
    y += 58
  }
  y += 24
  pen.font = `30px ${fontFamilies}`
  for (const { text, level } of lines) {
    const x = margin + 34 + level * 44
    pen.fillStyle = ink.accent
    pen.beginPath()
    pen.arc(x - 20, y, level === 0 ? 6 : 4, 0, 2 * Math.PI)
    pen.fill()
    pen.fillStyle = ink.text
    for (const line of wrapped(pen, text, width - margin - x, 2)) {
      if (y > height - 60) return
      pen.fillText(line, x, y)
      y += 42
    }
    y += 14
  }
}

/** Draws a page of {@link pageSize} on a picture or a PDF. `number`: from 1. */
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

/** The picture of a page. PNG. `number`: from 1. */
export async function pagePicture(page: SlidePage, number: number): Promise<Uint8Array> {
  // A native module of some thirty megabytes, needed by few calls.
  const { createCanvas } = await import('@napi-rs/canvas')
  const canvas = createCanvas(pageSize.width, pageSize.height)
  drawPage(canvas.getContext('2d'), page, number)
  return canvas.encode('png')
}
