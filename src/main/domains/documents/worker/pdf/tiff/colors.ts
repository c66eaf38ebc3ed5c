import { tags, type TiffDirectory } from './directory.ts'
import type { TiffLayout } from './layout.ts'
import { isBilevel, type Band } from './strips.ts'

/** Pixel formats: bits (1 is white), one byte of gray, or red, green and blue. */
export type Form = 'bits' | 'grey' | 'rgb'

/** Returns the format that preserves all colors of a page. */
export function formOf(layout: TiffLayout): Form {
  if (isBilevel(layout)) return 'bits'
  return layout.colours === 'grey' && layout.compression !== 7 ? 'grey' : 'rgb'
}

/**
 * Returns a function that converts bands of a page to rows of its format, on white where it is transparent.
 */
export function painter(directory: TiffDirectory, layout: TiffLayout): (band: Band) => Uint8Array {
  if (formOf(layout) === 'bits') return ({ samples }) => bitsOf(samples, layout.inverted)
  const over = alphaOver(layout)
  // The JPEG decoder has already converted its colors.
  const colour = layout.compression === 7 ? copied : colorOf(directory, layout)
  const out = formOf(layout) === 'grey' ? 1 : 3
  return ({ samples, perPixel, rows }) => {
    const pixels = rows * layout.width
    const painted = new Uint8Array(pixels * out)
    for (let i = 0; i < pixels; i++) {
      colour(samples, i * perPixel, painted, i * out)
      over?.(samples, i * perPixel, painted, i * out, out)
    }
    return painted
  }
}

/** Faxes and scans usually use 0 for white. */
function bitsOf(samples: Uint8Array, inverted: boolean): Uint8Array {
  if (!inverted) return samples
  const out = new Uint8Array(samples.length)
  for (let i = 0; i < out.length; i++) out[i] = ~(samples[i] ?? 0) & 0xff
  return out
}

type Color = (from: Uint8Array, at: number, to: Uint8Array, place: number) => void

const copied: Color = (from, at, to, place) => {
  to[place] = from[at] ?? 0
  to[place + 1] = from[at + 1] ?? 0
  to[place + 2] = from[at + 2] ?? 0
}

function colorOf({ values }: TiffDirectory, { colours, inverted, bits }: TiffLayout): Color {
  switch (colours) {
    case 'grey':
      return (from, at, to, place) => {
        to[place] = inverted ? 255 - (from[at] ?? 0) : (from[at] ?? 0)
      }
    case 'palette': {
      // All reds, then all greens, then all blues, of 16 bits each.
      const entries = values(tags.palette)
      const count = 1 << bits
      return (from, at, to, place) => {
        const entry = from[at] ?? 0
        for (let part = 0; part < 3; part++)
          to[place + part] = (entries[part * count + entry] ?? 0) >> 8
      }
    }
    case 'cmyk':
      return (from, at, to, place) => {
        const light = 255 - (from[at + 3] ?? 0)
        for (let part = 0; part < 3; part++)
          to[place + part] = Math.round(((255 - (from[at + part] ?? 0)) * light) / 255)
      }
    case 'rgb':
    case 'ycbcr':
      return copied
  }
}

type Over = (from: Uint8Array, at: number, to: Uint8Array, place: number, parts: number) => void

function alphaOver({ alpha, compression }: TiffLayout): Over | null {
  if (!alpha || compression === 7) return null
  return (from, at, to, place, parts) => {
    const seen = from[at + alpha.at] ?? 0
    for (let part = place; part < place + parts; part++) {
      const own = alpha.multiplied ? (to[part] ?? 0) : Math.round(((to[part] ?? 0) * seen) / 255)
      to[part] = Math.min(255, own + 255 - seen)
    }
  }
}
