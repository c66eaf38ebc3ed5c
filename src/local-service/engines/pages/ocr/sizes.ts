import { median } from '../geometry.ts'

/**
 * Range relative to the common size within which a line counts as that size: OCR boxes are a few pixels too high or too
 * low.
 */
const minRatio = 0.75
const maxRatio = 1.3

/** The box of a long line may include parts of its neighbors. */
const maxLongLine = 1.7

/** Minimum width of a long line, in heights: headings much larger than the text are seldom that long. */
const longFrom = 16

/** Size of a line's box, along its text and across it. */
interface LineBox {
  readonly width: number
  readonly height: number
}

/**
 * Estimates the font sizes of lines in pixels from their boxes: lines about as high as most of the text get the size of
 * most of the text.
 */
export function steadySizes(lines: readonly LineBox[]): number[] {
  const sizeOf = ({ width, height }: LineBox): number => 0.75 * Math.min(width, height)
  const medianSize = median(
    lines.flatMap((line) => Array<number>(Math.ceil(line.width / 100)).fill(sizeOf(line))),
  )
  return lines.map((line) => {
    const size = sizeOf(line)
    const ratio = size / medianSize
    const long = line.width > longFrom * line.height
    return ratio > minRatio && ratio < (long ? maxLongLine : maxRatio) ? medianSize : size
  })
}
