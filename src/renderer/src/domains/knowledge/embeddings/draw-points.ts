import { colors, fonts, type ColorName } from '../../../kit/theme.ts'
import type { PlaneView } from './point-view.ts'

/** Data of a map of points. */
export interface PointDrawing {
  readonly rows: Uint32Array
  /** Two coordinates per row. */
  readonly points: Float32Array
  readonly texts: readonly string[]
  readonly view: PlaneView
  readonly width: number
  readonly height: number
  readonly chosen: ReadonlySet<number>
  /** Row under the pointer or with the focus. */
  readonly lit: number | null
  /** Lasso that is being drawn around points. */
  readonly line: readonly (readonly [number, number])[]
  readonly dark: boolean
}

/** Maximum number of points for which each has a label. */
const labelled = 40
/** Distance in pixels within which the pointer hits a point. */
const reach = 14

/** Returns the position of a point on the canvas, in pixels; `place` is its index among the rows. */
export function toScreen(
  { points, view, width, height }: Pick<PointDrawing, 'points' | 'view' | 'width' | 'height'>,
  place: number,
): readonly [x: number, y: number] {
  return [
    ((points[place * 2] ?? 0) - view.x) * view.scale + width / 2,
    ((points[place * 2 + 1] ?? 0) - view.y) * view.scale + height / 2,
  ]
}

/** Returns the row whose point is nearest to a position on the canvas; null if none is near. */
export function pointAt(drawing: PointDrawing, x: number, y: number): number | null {
  let best: number | null = null
  let minDistance = reach
  for (const [place, row] of drawing.rows.entries()) {
    const [left, top] = toScreen(drawing, place)
    const far = Math.hypot(left - x, top - y)
    if (far < minDistance) {
      minDistance = far
      best = row
    }
  }
  return best
}

/** Redraws everything in the colors of the theme. */
export function drawPoints(canvas: HTMLCanvasElement, drawing: PointDrawing): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { rows, width, height, chosen, lit, line } = drawing
  const ratio = devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const colour = (name: ColorName): string => colors[name][drawing.dark ? 1 : 0]
  const radius = rows.length > 4000 ? 2 : rows.length > 800 ? 3 : 4.5
  for (const [place, row] of rows.entries()) {
    const [x, y] = toScreen(drawing, place)
    if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue
    const isChosen = chosen.has(row)
    context.globalAlpha = chosen.size > 0 && !isChosen ? 0.3 : 0.85
    context.fillStyle = colour(isChosen ? 'warn' : 'accent')
    context.beginPath()
    // Selected points are squares, distinguishable without colors.
    if (isChosen) context.rect(x - radius, y - radius, radius * 2, radius * 2)
    else context.arc(x, y, radius, 0, Math.PI * 2)
    context.fill()
  }
  context.globalAlpha = 1
  if (line.length > 1) drawLine(context, colour('text'), line)
  if (rows.length <= labelled)
    for (const [place, row] of rows.entries())
      drawLabel(context, drawing, { place, row, maxChars: 22, framed: false }, colour)
  const place = lit === null ? -1 : rows.indexOf(lit)
  if (lit === null || place === -1) return
  const [x, y] = toScreen(drawing, place)
  context.strokeStyle = colour('text')
  context.lineWidth = 2
  context.beginPath()
  context.arc(x, y, radius + 4, 0, Math.PI * 2)
  context.stroke()
  drawLabel(context, drawing, { place, row: lit, maxChars: 60, framed: true }, colour)
}

function drawLine(
  context: CanvasRenderingContext2D,
  colour: string,
  line: PointDrawing['line'],
): void {
  context.strokeStyle = colour
  context.lineWidth = 1.5
  context.setLineDash([4, 3])
  context.beginPath()
  for (const [x, y] of line) context.lineTo(x, y)
  context.stroke()
  context.setLineDash([])
}

function drawLabel(
  context: CanvasRenderingContext2D,
  drawing: PointDrawing,
  label: { place: number; row: number; maxChars: number; framed: boolean },
  colour: (name: ColorName) => string,
): void {
  const { place, row, maxChars, framed } = label
  const [x, y] = toScreen(drawing, place)
  const whole = (drawing.texts[row] ?? '').slice(0, 400).replaceAll(/\s+/g, ' ')
  const text = whole.length > maxChars ? `${whole.slice(0, maxChars)}…` : whole
  context.font = `12px ${fonts.interface}`
  const wide = context.measureText(text).width
  const left = Math.min(drawing.width - wide - 6, Math.max(4, x + 9))
  if (framed) {
    context.fillStyle = colour('raised')
    context.fillRect(left - 4, y - 10, wide + 8, 20)
    context.strokeStyle = colour('line')
    context.lineWidth = 1
    context.strokeRect(left - 4, y - 10, wide + 8, 20)
  }
  context.fillStyle = colour(framed ? 'text' : 'muted')
  context.textBaseline = 'middle'
  context.fillText(text, left, y)
}
