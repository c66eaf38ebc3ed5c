import type { TextContent, TextItem, TextStyle } from 'pdfjs-dist/types/src/display/api.d.ts'
import type { Run } from '../content.ts'
import { boxAround, type Box } from '../geometry.ts'
import { multiply, type Matrix } from './matrix.ts'

/** Text layer of a page, with upright and rotated runs (stamps at the edge, axis labels) separated. */
interface TextLayer {
  readonly upright: readonly Run[]
  readonly turned: readonly Run[]
}

/** Sine of the maximum angle at which text counts as upright. */
const maxTilt = 0.12

const boldName = /bold|black|heavy|semibold|demi|[A-Z]{3}\+?(?:CM|SF)BX|^(?:.*\+)?(?:CM|SF|EC)BX/i

/** Returns whether a font is bold, judging by its name. */
export const isBoldName = (name: string): boolean => boldName.test(name)

/**
 * Normalizes text to what would be typed: no ligatures, no radicals in place of characters (fonts map both that way), no
 * invisible characters.
 */
const plain = (text: string): string =>
  text
    .replace(/[\ufb00-\ufb04\u2e80-\u2fdf]/g, (sign) => sign.normalize('NFKC'))
    .replace(/[\p{Cc}\ufeff\u200b]/gu, '')
    .replace(/\u00a0/g, ' ')

const within = (value: number, min: number, max: number, otherwise: number): number =>
  Number.isFinite(value) && value >= min && value <= max ? value : otherwise

function boxOf(item: TextItem, style: TextStyle | undefined, matrix: Matrix, scale: number): Box {
  const [a, b, c, d, e, f] = matrix
  const along = Math.hypot(a, b) || 1
  const up = Math.hypot(c, d) || 1
  const ascent = within(style?.ascent ?? 0, 0.75, 1.1, 0.85) * up
  const descent = within(-(style?.descent ?? 0), 0.1, 0.4, 0.22) * up
  const width = item.width * scale
  const corner = (x: number, y: number): Box => {
    const left = e + (a / along) * x + (c / up) * y
    const top = f + (b / along) * x + (d / up) * y
    return [left, top, left, top]
  }
  return boxAround([
    corner(0, ascent),
    corner(width, ascent),
    corner(0, -descent),
    corner(width, -descent),
  ])
}

/**
 * Returns the text runs of a page. `view` maps page points to pixels; `isBold` looks up fonts by their IDs.
 */
export function runsOf(
  content: TextContent,
  view: Matrix,
  scale: number,
  isBold: (font: string) => boolean,
): TextLayer {
  const upright: Run[] = []
  const turned: Run[] = []
  let spaceBefore = false
  for (const item of content.items) {
    if (!('str' in item)) continue
    const text = plain(item.str)
    if (text.trim() === '') {
      spaceBefore ||= text !== '' || item.hasEOL
      continue
    }
    const matrix = multiply(view, item.transform as unknown as Matrix)
    const size = Math.hypot(matrix[2], matrix[3])
    const style = content.styles[item.fontName]
    const run: Run = {
      text: text.trim(),
      box: boxOf(item, style, matrix, scale),
      size,
      bold: isBold(item.fontName),
      spaceBefore: spaceBefore || /^\s/.test(text),
    }
    const tilt = Math.abs(matrix[1]) / (Math.hypot(matrix[0], matrix[1]) || 1)
    if (tilt < maxTilt && matrix[0] > 0) upright.push(run)
    else turned.push(run)
    spaceBefore = /\s$/.test(text) || item.hasEOL
  }
  return { upright, turned }
}
