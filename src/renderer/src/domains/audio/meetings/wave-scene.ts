import type { Bookmark, Gap, Segment, Span } from '../../../../../shared/model/meeting.ts'
import { formatClock } from '../../../../../shared/text/clock.ts'
import { columnsOf, type Peaks } from './peaks.ts'
import { rulerMarks, type WaveWindow } from './wave-window.ts'

/** Colors of everything drawn, as CSS values of the present theme. */
export interface WaveColors {
  readonly muted: string
  readonly line: string
  readonly accent: string
  readonly warn: string
  readonly danger: string
  readonly mark: string
  readonly lanes: readonly string[]
}

/** Everything on the waveform except the playhead; lengths in CSS pixels. */
export interface WaveScene {
  readonly width: number
  readonly height: number
  /** Pixels of a rem divided by 16: drawn text grows with the text size. */
  readonly unit: number
  readonly font: string
  readonly window: WaveWindow
  readonly durationMs: number
  readonly channels: number
  readonly peaks: Peaks | null
  /** Channels that are muted now. */
  readonly quiet: ReadonlySet<number>
  /** Segments in a state other than done, in order of time. */
  readonly segments: readonly Segment[]
  readonly gaps: readonly Gap[]
  readonly bookmarks: readonly Bookmark[]
  /** Search matches in order of time; the current one is highlighted. */
  readonly hits: readonly number[]
  readonly hit: number | null
  readonly range: Span | null
  readonly colors: WaveColors
}

/** Heights of the strip of marks above the lanes and of the ruler below them, in pixels at the normal text size. */
const strip = 10
const ruler = 14

/** Returns the position of a lane. */
function channelBounds(
  scene: WaveScene,
  channel: number,
): { readonly top: number; readonly height: number } {
  const room = scene.height - (strip + ruler) * scene.unit
  const height = room / scene.channels
  return { top: strip * scene.unit + channel * height, height }
}

/** Draws a waveform with everything on it. The canvas is already scaled to CSS pixels. */
export function drawWave(context: CanvasRenderingContext2D, scene: WaveScene): void {
  context.clearRect(0, 0, scene.width, scene.height)
  drawRuler(context, scene)
  for (const gap of scene.gaps) drawGap(context, scene, gap)
  for (let channel = 0; channel < scene.channels; channel++) drawChannel(context, scene, channel)
  for (const segment of scene.segments) drawSegment(context, scene, segment)
  if (scene.range) drawRange(context, scene, scene.range)
  for (const bookmark of scene.bookmarks) drawBookmark(context, scene, bookmark)
  for (const at of scene.hits) drawHit(context, scene, at, at === scene.hit)
}

const xOf = ({ window }: WaveScene, ms: number): number => (ms - window.startMs) / window.msPerPixel

/**
 * Returns the left edge and width of a range on screen; null if it is not in view. A very short one stays visible.
 */
function boxOf(scene: WaveScene, { startMs, endMs }: Span): readonly [number, number] | null {
  const from = Math.max(-2, xOf(scene, startMs))
  const to = Math.min(scene.width + 2, xOf(scene, endMs))
  return to < 0 || from > scene.width ? null : [from, Math.max(2, to - from)]
}

function drawChannel(context: CanvasRenderingContext2D, scene: WaveScene, channel: number): void {
  const { top, height } = channelBounds(scene, channel)
  const middle = top + height / 2
  context.fillStyle = scene.colors.line
  context.fillRect(0, middle - 0.5, scene.width, 1)
  const { peaks, window } = scene
  if (!peaks || channel >= peaks.channels) return
  const columns = new Float32Array(Math.ceil(scene.width) * 2)
  columnsOf(peaks, channel, window.startMs, window.msPerPixel, columns)
  context.globalAlpha = scene.quiet.has(channel) ? 0.3 : 1
  context.fillStyle = scene.colors.lanes[channel] ?? scene.colors.accent
  const reach = height / 2 - 3 * scene.unit
  context.beginPath()
  for (let column = 0; column * 2 < columns.length; column++) {
    const high = (columns[column * 2 + 1] ?? 0) * reach
    const low = (columns[column * 2] ?? 0) * reach
    if (high - low < 0.2) continue
    context.rect(column, middle - Math.max(0.5, high), 1, Math.max(1, high - low))
  }
  context.fill()
  context.globalAlpha = 1
}

function drawRuler(context: CanvasRenderingContext2D, scene: WaveScene): void {
  const { width, height, unit, colors } = scene
  context.font = scene.font
  context.textBaseline = 'bottom'
  const channelsEnd = height - ruler * unit
  for (const at of rulerMarks(scene.window, width, 84 * unit)) {
    const x = Math.round(xOf(scene, at))
    context.fillStyle = colors.line
    context.fillRect(x, strip * unit, 1, channelsEnd - strip * unit + 3 * unit)
    const text = formatClock(at / 1000)
    const wide = context.measureText(text).width
    context.fillStyle = colors.muted
    if (x - wide / 2 >= 0 && x + wide / 2 <= width)
      context.fillText(text, x - wide / 2, height - 1 * unit)
  }
}

function drawGap(context: CanvasRenderingContext2D, scene: WaveScene, gap: Gap): void {
  const box = boxOf(scene, gap)
  if (!box) return
  const [x, width] = box
  const channels = gap.channel === null ? [...Array(scene.channels).keys()] : [gap.channel]
  for (const channel of channels) {
    const { top, height } = channelBounds(scene, channel)
    hatch(context, x, top + 1, width, height - 2, scene.colors.warn, 5 * scene.unit)
  }
}

/** Draws a hatched range. */
function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
  apart: number,
): void {
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.strokeStyle = color
  context.globalAlpha = 0.55
  context.beginPath()
  for (let at = x - height; at < x + width; at += apart) {
    context.moveTo(at, y + height)
    context.lineTo(at + height, y)
  }
  context.stroke()
  context.restore()
}

function drawSegment(context: CanvasRenderingContext2D, scene: WaveScene, segment: Segment): void {
  const box = boxOf(scene, segment)
  if (!box) return
  const [x, width] = box
  const { top, height } = channelBounds(scene, segment.channel)
  const { unit, colors } = scene
  const bottom = top + height - 2 * unit
  if (segment.state === 'failed') {
    context.fillStyle = colors.danger
    context.globalAlpha = 0.16
    context.fillRect(x, top + 1, width, height - 2)
    context.globalAlpha = 1
    context.fillRect(x, bottom - 2 * unit, width, 2 * unit)
  } else if (segment.state === 'flagged') {
    context.fillStyle = colors.warn
    context.fillRect(x, bottom - 2 * unit, width, 2 * unit)
    // A small flag distinguishes it without color.
    context.beginPath()
    context.moveTo(x, bottom - 2 * unit)
    context.lineTo(x, bottom - 9 * unit)
    context.lineTo(x + 6 * unit, bottom - 6 * unit)
    context.lineTo(x, bottom - 3.5 * unit)
    context.fill()
  } else {
    const dash = segment.state === 'inflight' ? [] : [3 * unit, 3 * unit]
    context.setLineDash(dash)
    context.strokeStyle = colors.muted
    context.beginPath()
    context.moveTo(x + 1, bottom - unit)
    context.lineTo(x + width - 1, bottom - unit)
    context.stroke()
    context.setLineDash([])
  }
}

function drawRange(context: CanvasRenderingContext2D, scene: WaveScene, range: Span): void {
  const box = boxOf(scene, range)
  if (!box) return
  const [x, width] = box
  const height = scene.height - (strip + ruler) * scene.unit
  context.fillStyle = scene.colors.accent
  context.globalAlpha = 0.16
  context.fillRect(x, strip * scene.unit, width, height)
  context.globalAlpha = 1
  context.fillRect(x, strip * scene.unit, 1, height)
  context.fillRect(x + width - 1, strip * scene.unit, 1, height)
}

function drawBookmark(
  context: CanvasRenderingContext2D,
  scene: WaveScene,
  { atMs }: Bookmark,
): void {
  const x = Math.round(xOf(scene, atMs))
  if (x < -8 || x > scene.width + 8) return
  const { unit } = scene
  context.fillStyle = scene.colors.accent
  context.fillRect(x - 0.5, strip * unit, 1, scene.height - (strip + ruler) * unit)
  context.beginPath()
  context.moveTo(x - 4 * unit, 2 * unit)
  context.lineTo(x + 4 * unit, 2 * unit)
  context.lineTo(x + 4 * unit, strip * unit)
  context.lineTo(x, (strip - 3.5) * unit)
  context.lineTo(x - 4 * unit, strip * unit)
  context.fill()
}

function drawHit(
  context: CanvasRenderingContext2D,
  scene: WaveScene,
  atMs: number,
  current: boolean,
): void {
  const x = Math.round(xOf(scene, atMs))
  if (x < -4 || x > scene.width + 4) return
  const { unit, colors } = scene
  const wide = (current ? 5 : 3) * unit
  context.fillStyle = current ? colors.accent : colors.mark
  context.fillRect(x - wide / 2, 4 * unit, wide, (strip - 5) * unit)
  context.strokeStyle = colors.muted
  context.strokeRect(x - wide / 2, 4 * unit, wide, (strip - 5) * unit)
}
