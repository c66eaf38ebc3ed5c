import { median } from '../geometry.ts'

/** Parts of the usual size between which a line is set in it: boxes that OCR finds are a few pixels too high or too low. */
const minRatio = 0.75
const maxRatio = 1.3

/** A long line may be boxed together with parts of its neighbours. */
const maxLongLine = 1.7

/** Width in heights from which a line is long: headings much larger than the text seldom are. */
const longFrom = 16

/** A line's box: along its text and across it. */
interface LineBox {
  readonly width: number
  readonly height: number
}

/** Sizes of lines in pixels, told from their boxes: those about as high as most of the text are as large as most of the text. */
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
