/** Visible range of a meeting: its start, and the length of a CSS pixel. */
export interface WaveWindow {
  readonly startMs: number
  readonly msPerPixel: number
}

/** Maximum zoom, in milliseconds per pixel: 200 pixels per second. */
const closestMsPerPixel = 5

/** Returns the window that shows the whole meeting. */
export function wholeWindow(durationMs: number, width: number): WaveWindow {
  return { startMs: 0, msPerPixel: Math.max(closestMsPerPixel, durationMs / Math.max(1, width)) }
}

/** Returns a window clamped to the meeting, with a zoom between all of it and the maximum. */
export function fitWindow(wanted: WaveWindow, durationMs: number, width: number): WaveWindow {
  const { msPerPixel: maxMsPerPixel } = wholeWindow(durationMs, width)
  const msPerPixel = Math.min(maxMsPerPixel, Math.max(closestMsPerPixel, wanted.msPerPixel))
  const last = Math.max(0, durationMs - msPerPixel * width)
  return { startMs: Math.min(last, Math.max(0, wanted.startMs)), msPerPixel }
}

/** Returns the window after a zoom by a factor (below 1: closer) around a moment that stays in place. */
export function zoomAround(
  window: WaveWindow,
  factor: number,
  aroundMs: number,
  durationMs: number,
  width: number,
): WaveWindow {
  const { msPerPixel: maxMsPerPixel } = wholeWindow(durationMs, width)
  const msPerPixel = Math.min(
    maxMsPerPixel,
    Math.max(closestMsPerPixel, window.msPerPixel * factor),
  )
  const pixels = (aroundMs - window.startMs) / window.msPerPixel
  return fitWindow({ startMs: aroundMs - pixels * msPerPixel, msPerPixel }, durationMs, width)
}

/** Returns a window that shows a moment: the same if it already does, else turned like a page. */
export function showMoment(
  window: WaveWindow,
  atMs: number,
  durationMs: number,
  width: number,
): WaveWindow {
  const length = window.msPerPixel * width
  if (atMs >= window.startMs && atMs < window.startMs + length) return window
  return fitWindow({ ...window, startMs: atMs - length * 0.08 }, durationMs, width)
}

/** Intervals of the ruler, in milliseconds. */
const steps = [
  1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
  7_200_000, 14_400_000,
] as const

/** Returns the moments of the ruler's labels in a window, at least `apart` pixels from each other. */
export function rulerMarks(window: WaveWindow, width: number, apart: number): readonly number[] {
  const minStepMs = window.msPerPixel * apart
  const step = steps.find((one) => one >= minStepMs) ?? 28_800_000
  const marks: number[] = []
  const end = window.startMs + window.msPerPixel * width
  for (let at = Math.ceil(window.startMs / step) * step; at < end; at += step) marks.push(at)
  return marks
}
