import { heat } from '../../../kit/theme.ts'

/** Number of steps of the color scale, minimum first: red, green, blue, opacity of each step. */
export const heatSteps = 256

/** Returns the scale of a theme as a table of colors. */
export function heatTable(dark: boolean): Uint8ClampedArray {
  const stops = heat.map((pair) => rgb(pair[dark ? 1 : 0]))
  const table = new Uint8ClampedArray(heatSteps * 4)
  for (let step = 0; step < heatSteps; step++) {
    const along = (step / (heatSteps - 1)) * (stops.length - 1)
    const from = Math.min(stops.length - 2, Math.floor(along))
    const share = along - from
    for (let part = 0; part < 3; part++)
      table[step * 4 + part] =
        (stops[from]?.[part] ?? 0) * (1 - share) + (stops[from + 1]?.[part] ?? 0) * share
    table[step * 4 + 3] = 255
  }
  return table
}

/** Returns the scale as a CSS gradient. */
export const heatGradient = (dark: boolean): string =>
  `linear-gradient(to right, ${heat.map((pair) => pair[dark ? 1 : 0]).join(', ')})`

/** Writes values as pixels; `range` contains the ends of the scale, NaN is transparent. */
export function paintValues(
  values: Float32Array,
  into: Uint8ClampedArray,
  table: Uint8ClampedArray,
  range: readonly [number, number],
): void {
  const [min, greatest] = range
  const span = Math.max(1e-6, greatest - min)
  for (const [at, value] of values.entries()) {
    if (Number.isNaN(value)) {
      into[at * 4 + 3] = 0
      continue
    }
    const step = Math.round(Math.min(1, Math.max(0, (value - min) / span)) * (heatSteps - 1))
    into.set(table.subarray(step * 4, step * 4 + 4), at * 4)
  }
}

const rgb = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
