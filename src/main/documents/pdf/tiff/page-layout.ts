import { tags, type TiffDirectory } from './directory.ts'
import type { TiffLayout } from './layout.ts'

/** Paper size of a page, and how the unit square of an image is mapped to it. */
export interface Sheet {
  /** In points (1/72 inch), upright. */
  readonly width: number
  readonly height: number
  readonly matrix: readonly number[]
}

/** Dots per inch of files that have no resolution, or one that no scanner or fax would write. */
const defaultDpi = 200
const minDpi = 36
const maxDpi = 4800
const centimetres = 2.54

/** Maximum side length of a page in points that PDF readers support. */
const maxSideLength = 14_400

/**
 * Returns the paper that a page was scanned from: faxes have different horizontal and vertical resolutions.
 */
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

/**
 * Returns the position of the stored image on the page, by its orientation (TIFF 6.0, section 8): 1 means first row at
 * the top and first column at the left.
 */
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
