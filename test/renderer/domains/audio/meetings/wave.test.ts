import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import {
  drawWave,
  type WaveScene,
} from '../../../../../src/renderer/src/domains/audio/meetings/wave-scene.ts'
import {
  fitWindow,
  rulerMarks,
  showMoment,
  wholeWindow,
  zoomAround,
} from '../../../../../src/renderer/src/domains/audio/meetings/wave-window.ts'
import { segmentOf } from './side-data.ts'
import { peaksOf } from './dat-file.ts'

const hour = 3_600_000

test('fits a whole meeting to the width; a short one only up to the maximum zoom', () => {
  expect(wholeWindow(hour, 1000)).toEqual({ startMs: 0, msPerPixel: 3600 })
  expect(wholeWindow(1000, 1000)).toEqual({ startMs: 0, msPerPixel: 5 })
})

test('keeps the time under the pointer when zooming, up to the maximum zoom', () => {
  const whole = wholeWindow(hour, 1000)
  const closer = zoomAround(whole, 0.5, hour / 2, hour, 1000)
  expect(closer.msPerPixel).toBe(1800)
  expect((hour / 2 - closer.startMs) / closer.msPerPixel).toBe(500)
  expect(zoomAround(whole, 0.000_001, hour / 2, hour, 1000).msPerPixel).toBe(5)
  expect(zoomAround(closer, 100, 0, hour, 1000)).toEqual(whole)
})

test('keeps the window within the meeting', () => {
  expect(fitWindow({ startMs: -500, msPerPixel: 100 }, hour, 1000).startMs).toBe(0)
  expect(fitWindow({ startMs: hour, msPerPixel: 100 }, hour, 1000).startMs).toBe(hour - 100_000)
})

test('turns the page for a time out of view, not for one in view', () => {
  const window = { startMs: 100_000, msPerPixel: 100 }
  expect(showMoment(window, 150_000, hour, 1000)).toBe(window)
  const turned = showMoment(window, 200_000, hour, 1000)
  expect(turned.startMs).toBe(192_000)
})

test('places ruler labels at round times, far enough apart', () => {
  expect(rulerMarks(wholeWindow(hour, 1000), 1000, 84)).toEqual(
    [0, 1, 2, 3, 4, 5].map((tens) => tens * 600_000),
  )
  const close = rulerMarks({ startMs: 61_500, msPerPixel: 5 }, 1000, 84)
  expect(close).toEqual([62_000, 63_000, 64_000, 65_000, 66_000])
})

const colors = {
  muted: '#777777',
  line: '#eeeeee',
  accent: '#0000ff',
  warn: '#ffaa00',
  danger: '#ff0000',
  mark: '#ffff00',
  lanes: ['#00ff00', '#ff00ff'],
}
/** Ten seconds over 200 pixels; the first channel is loud in the first half, the second in the second half. */
const scene = (change: Partial<WaveScene> = {}): WaveScene => ({
  width: 200,
  height: 130,
  unit: 1,
  font: '11px sans-serif',
  window: { startMs: 0, msPerPixel: 50 },
  durationMs: 10_000,
  channels: 2,
  peaks: peaksOf(
    2,
    Array.from({ length: 800 }, (_, at) => {
      const loud = Math.floor(at / 400) === (at >> 1) % 2
      return loud ? (at % 2 === 0 ? -100 : 100) : 0
    }),
  ),
  quiet: new Set(),
  segments: [],
  gaps: [],
  bookmarks: [],
  hits: [],
  hit: null,
  range: null,
  colors,
  ...change,
})
/** Counts the pixels of one color in a range of columns with at least `alpha`. */
function count(
  drawn: WaveScene,
  rgb: readonly [number, number, number],
  from = 0,
  to = 200,
): number {
  const canvas = createCanvas(drawn.width, drawn.height)
  const context = canvas.getContext('2d')
  drawWave(context as unknown as CanvasRenderingContext2D, drawn)
  const { data } = context.getImageData(0, 0, drawn.width, drawn.height)
  let found = 0
  for (let at = 0; at < data.length; at += 4) {
    const x = (at / 4) % drawn.width
    const same = rgb.every((value, part) => Math.abs((data[at + part] ?? 0) - value) < 12)
    if (same && x >= from && x < to && (data[at + 3] ?? 0) > 30) found++
  }
  return found
}
const [green, pink, red, amber, blue, yellow] = [
  [0, 255, 0],
  [255, 0, 255],
  [255, 0, 0],
  [255, 170, 0],
  [0, 0, 255],
  [255, 255, 0],
] as const

test('draws a lane and color for each channel, and silence flat', () => {
  expect(count(scene(), green, 0, 100)).toBeGreaterThan(2000)
  expect(count(scene(), green, 102, 200)).toBeLessThan(20)
  expect(count(scene(), pink, 102, 200)).toBeGreaterThan(2000)
})

test('draws failed and flagged segments, gaps, bookmarks and matches in view only', () => {
  const failed = segmentOf('a', 1000, { state: 'failed', endMs: 3000 })
  expect(count(scene({ segments: [failed] }), red, 20, 60)).toBeGreaterThan(70)
  const flagged = segmentOf('b', 1000, { state: 'flagged', endMs: 3000 })
  expect(count(scene({ segments: [flagged] }), amber, 20, 60)).toBeGreaterThan(70)
  const gap = { id: 'g', startMs: 6000, endMs: 9000, channel: 0, reason: 'device' } as const
  expect(count(scene({ gaps: [gap] }), amber, 118, 182)).toBeGreaterThan(100)
  const marked = scene({ bookmarks: [{ id: 'm', atMs: 7500, label: '' }] })
  expect(count(marked, blue, 140, 160)).toBeGreaterThan(100)
  expect(count(scene({ hits: [2000, 4000], hit: 4000 }), yellow, 36, 44)).toBeGreaterThan(5)
  expect(count(scene({ hits: [2000, 4000], hit: 4000 }), blue, 74, 86)).toBeGreaterThan(5)
  const later = scene({
    window: { startMs: 9000, msPerPixel: 5 },
    segments: [failed],
    hits: [2000],
  })
  expect(count(later, red) + count(later, yellow)).toBe(0)
})

test('frames a selected range and dims a muted channel', () => {
  expect(count(scene({ range: { startMs: 6000, endMs: 8000 } }), blue, 118, 122)).toBeGreaterThan(
    90,
  )
  expect(count(scene({ quiet: new Set([0]) }), green, 0, 100)).toBeGreaterThan(2000)
  const pale = createCanvas(200, 130)
  const context = pale.getContext('2d')
  drawWave(context as unknown as CanvasRenderingContext2D, scene({ quiet: new Set([0]) }))
  const [, , , alpha = 255] = context.getImageData(50, 25, 1, 1).data
  expect(alpha).toBeLessThan(120)
})
