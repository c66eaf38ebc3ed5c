import { tags, type TiffDirectory } from './directory.ts'
import type { TiffLayout } from './layout.ts'

/** A page of paper, and how the unit square of a picture is laid on it. */
export interface Sheet {
  /** In points (1/72 inch), upright. */
  readonly width: number
  readonly height: number
  readonly matrix: readonly number[]
}

/** Dots per inch of what does not tell, and of what tells nothing that a scanner or a fax would. */
const defaultDpi = 200
const minDpi = 36
const maxDpi = 4800
const centimetres = 2.54

/** Longest side of a page in points, as PDF readers agree on. */
const maxSideLength = 14_400

/** The paper that a page was scanned from: faxes have other dots across than down. */
export function sheetOf(directory: TiffDirectory, { width, height }: TiffLayout): Sheet {
  const [across, down] = dotsOf(directory)
  const wide = (width * 72) / across
  const high = (height * 72) / down
  const shrink = Math.min(1, maxSideLength / Math.max(wide, high))
  const orientation = directory.value(tags.orientation, 1)
  const lying = orientation >= 5 && orientation <= 8
  const size = { width: wide * shrink, height: high * shrink }
  const sheet = lying ? { width: size.height, height: size.width } : size
  return { ...sheet, matrix: matrixOf(orientation, sheet.width, sheet.height) }
}

function dotsOf({ value }: TiffDirectory): readonly [across: number, down: number] {
  const unit = value(tags.resolutionUnit, 2)
  const scale = unit === 3 ? centimetres : 1
  const across = value(tags.xResolution, 0) * scale
  const down = value(tags.yResolution, across / scale) * scale
  const isReal = (dots: number): boolean => dots >= minDpi && dots <= maxDpi
  return unit !== 1 && isReal(across) && isReal(down) ? [across, down] : [defaultDpi, defaultDpi]
}

/** Where the stored picture lies on the page, by its orientation (TIFF 6.0, section 8): first row above and first column left is 1. */
function matrixOf(orientation: number, w: number, h: number): readonly number[] {
  switch (orientation) {
    case 2:
      return [-w, 0, 0, h, w, 0]
    case 3:
      return [-w, 0, 0, -h, w, h]
    case 4:
      return [w, 0, 0, -h, 0, h]
    case 5:
      return [0, -h, -w, 0, w, h]
    case 6:
      return [0, -h, w, 0, 0, h]
    case 7:
      return [0, h, w, 0, 0, 0]
    case 8:
      return [0, h, -w, 0, w, 0]
    default:
      return [w, 0, 0, h, 0, 0]
  }
}
