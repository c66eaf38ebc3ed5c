import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { Quad } from './quad.ts'

/** Width of a blank strip, in heights of the line, that no word space has: the gutter of narrow columns. */
const leastGap = 0.55

/** Part of a line's height that is looked at: the outermost pixels may be those of the lines above and below. */
const core = 0.5

/** Darkness below that of the paper at which a column of pixels holds ink. */
const contrast = 60

/** Columns of pixels along a line, from its left end, that are blank. */
function blankColumns(page: Canvas, { x, y, width, height, angle }: Quad): boolean[] {
  const wide = Math.ceil(width)
  const high = Math.max(1, Math.ceil(height * core))
  const strip = createCanvas(wide, high)
  const context = strip.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, wide, high)
  context.translate(wide / 2, high / 2)
  context.rotate(-angle)
  const left = Math.max(0, Math.floor(x - width / 2 - height))
  const top = Math.max(0, Math.floor(y - width / 20 - height))
  const right = Math.min(page.width, Math.ceil(x + width / 2 + height))
  const bottom = Math.min(page.height, Math.ceil(y + width / 20 + height))
  const size = [right - left, bottom - top] as const
  context.drawImage(page, left, top, ...size, left - x, top - y, ...size)
  const { data } = context.getImageData(0, 0, wide, high)
  let paper = 0
  for (let i = 1; i < data.length; i += 4) paper = Math.max(paper, data[i] ?? 0)
  return Array.from({ length: wide }, (_, column) => {
    for (let row = 0; row < high; row++)
      if (paper - (data[4 * (row * wide + column) + 1] ?? 0) > contrast) return false
    return true
  })
}

/**
 * A line that was found across a gutter, as the lines of its columns; strongly tilted ones are left whole. `usual` is the
 * height of the page's lines: one that took in parts of two is higher.
 */
export function splitAtGaps(page: Canvas, quad: Quad, usual: number): Quad[] {
  const { width, height, angle } = quad
  if (width < 6 * height || Math.abs(angle) > 0.05) return [quad]
  const parts: Quad[] = []
  const close = (from: number, to: number): void => {
    if (to - from < 3) return
    const along = (from + to - width) / 2
    const x = quad.x + along * Math.cos(angle)
    const y = quad.y + along * Math.sin(angle)
    parts.push({ ...quad, x, y, width: to - from })
  }
  let start = 0
  let gap = 0
  for (const [at, isBlank] of blankColumns(page, quad).entries()) {
    if (isBlank) {
      gap++
      continue
    }
    if (gap >= leastGap * Math.min(height, usual) && at > gap) {
      close(start, at - gap + 4)
      start = at - 4
    }
    gap = 0
  }
  if (start === 0) return [quad]
  close(start, width)
  return parts
}
