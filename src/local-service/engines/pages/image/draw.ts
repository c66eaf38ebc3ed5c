import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { heightOf, widthOf } from '../geometry.ts'
import type { Box } from '../geometry.ts'

const colours: Readonly<Record<string, string>> = {
  text: '#1f6feb',
  table: '#1a7f37',
  image: '#bf3989',
  formula: '#9a6700',
}

/** Block to draw in a visualization. */
export interface Drawn {
  readonly label: string
  readonly nativeLabel: string
  readonly box: Box
}

/** Returns a PNG of a part of the page. */
export async function cropOf(page: Canvas, box: Box): Promise<Uint8Array> {
  const width = Math.max(1, widthOf(box))
  const height = Math.max(1, heightOf(box))
  const crop = createCanvas(width, height)
  crop.getContext('2d').drawImage(page, box[0], box[1], width, height, 0, 0, width, height)
  return crop.encode('png')
}

/**
 * Returns a JPEG of the page with its blocks outlined and numbered in reading order. Draws on the page canvas itself.
 */
export async function visualise(page: Canvas, blocks: readonly Drawn[]): Promise<Uint8Array> {
  const context = page.getContext('2d')
  const size = Math.max(11, Math.round(page.height / 110))
  context.font = `${size}px sans-serif`
  context.lineWidth = Math.max(1, size / 9)
  for (const [i, { label, nativeLabel, box }] of blocks.entries()) {
    const colour = colours[label] ?? '#57606a'
    context.strokeStyle = colour
    context.strokeRect(box[0], box[1], widthOf(box), heightOf(box))
    const name = `${i} ${nativeLabel}`
    const wide = context.measureText(name).width + size / 2
    const top = Math.max(0, box[1] - size * 1.2)
    context.fillStyle = colour
    context.fillRect(box[0], top, wide, size * 1.2)
    context.fillStyle = '#fff'
    context.fillText(name, box[0] + size / 4, top + size * 0.95)
  }
  return page.encode('jpeg', 82)
}
