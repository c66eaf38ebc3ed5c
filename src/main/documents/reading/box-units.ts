import type { BoxRegime, PageSize } from '../../../shared/model/document.ts'
import { finite, fits, isPixel, tolerance } from './rasters.ts'
import type { PageToPlace } from './rasters.ts'

/** Units of the boxes in a response, and whether they are a guess. */
export interface Regime {
  readonly regime: BoxRegime
  readonly guessed: boolean
}

const thousand = 1000
const thousandths: PageSize = { width: thousand, height: thousand }

/** Evidence from all boxes of a response. */
interface Evidence {
  /** Number of boxes by possible unit; impossible ones are left out. */
  readonly fractions: number
  readonly pixelsAlone: number
  readonly thousandthsAlone: number
  readonly either: number
  /** Pages with a box that is not a fraction. */
  readonly pages: number
  /** How far boxes extend on the page if they are pixels; 1 is its far edge. */
  readonly reach: number
  /** How far they extend to the right and to the bottom. */
  readonly right: number
  readonly bottom: number
  /** The image of a page is larger than a thousand pixels. */
  readonly large: boolean
  /** The response contains the image size of a page. */
  readonly hasRasters: boolean
}

/**
 * Determines the units of all boxes of a response at once (notes R3), by the majority of the unambiguous ones: single
 * numbers may be wrong. Boxes that could be pixels or thousandths are decided by how far they extend, and marked as
 * guessed. `known` is the unit found in an earlier response of the same provider: it resolves a doubt.
 */
export function regimeOf(
  pages: readonly PageToPlace[],
  rasters: readonly (PageSize | null)[],
  known: BoxRegime | null = null,
): Regime {
  const found = weigh(pages, rasters)
  const { fractions, pixelsAlone, thousandthsAlone, either } = found
  const others = pixelsAlone + thousandthsAlone + either
  if (fractions + others === 0)
    return { regime: hasBoxes(pages) ? (known ?? 'pixels') : 'none', guessed: hasBoxes(pages) }
  if (fractions >= others) return { regime: 'fractions', guessed: others > 0 }
  if (pixelsAlone + thousandthsAlone > 0)
    return pixelsAlone >= thousandthsAlone
      ? { regime: 'pixels', guessed: thousandthsAlone > 0 }
      : { regime: 'thousandths', guessed: pixelsAlone > 0 }
  if (known === 'pixels' || known === 'thousandths') return { regime: known, guessed: false }
  return doubtful(found)
}

/** Decides when every box is within a thousand and within its page's image. */
function doubtful({ reach, right, bottom, pages, large, hasRasters }: Evidence): Regime {
  if (!hasRasters) {
    // The page's own size in points may happen to equal that of its image.
    return { regime: reach >= 0.8 && reach <= tolerance ? 'pixels' : 'thousandths', guessed: true }
  }
  if (!large) return { regime: 'pixels', guessed: reach < 0.85 && !(pages > 1 && reach >= 0.6) }
  // Thousandths on a page of text extend far to the right and the bottom; pixels that all stay in the upper left corner
  // are a short page, and the more pages are like this, the less likely it is a coincidence.
  if (reach >= 0.9 || Math.min(right, bottom) < 0.7 * thousand)
    return { regime: 'pixels', guessed: true }
  return { regime: 'thousandths', guessed: pages < 2 || (pages < 8 && reach > 0.8) }
}

function weigh(pages: readonly PageToPlace[], rasters: readonly (PageSize | null)[]): Evidence {
  const count = { fractions: 0, pixelsAlone: 0, thousandthsAlone: 0, either: 0 }
  const withBoxes = new Set<number>()
  const max = { reach: 0, right: 0, bottom: 0 }
  for (const [at, page] of pages.entries()) {
    const raster = rasters[at] ?? null
    const size = raster ?? page.inspected
    for (const { bbox } of page.blocks) {
      const box = finite(bbox)
      const can = box && meaningOf(box, raster)
      if (!box || !can) continue
      count[can] += 1
      if (can === 'fractions') continue
      withBoxes.add(at)
      const right = Math.max(box[0], box[2])
      const bottom = Math.max(box[1], box[3])
      if (size) max.reach = Math.max(max.reach, right / size.width, bottom / size.height)
      max.right = Math.max(max.right, right)
      max.bottom = Math.max(max.bottom, bottom)
    }
  }
  const large = rasters.some((size) => size && Math.max(size.width, size.height) > thousand)
  const hasRasters = rasters.some((size) => size !== null)
  return { ...count, ...max, pages: withBoxes.size, large, hasRasters }
}

/** Returns the possible units of a box; null for none. */
function meaningOf(
  box: readonly number[],
  raster: PageSize | null,
): 'fractions' | 'pixelsAlone' | 'thousandthsAlone' | 'either' | null {
  if (isFraction(box)) return 'fractions'
  const asPixels = raster ? fits(box, raster) : isPixel(box)
  const asThousandths = fits(box, thousandths)
  if (asPixels && asThousandths) return 'either'
  if (asPixels) return 'pixelsAlone'
  return asThousandths ? 'thousandthsAlone' : null
}

/** Whether all four numbers are fractions of a page. As pixels they would be a tiny dot in its corner. */
export const isFraction = (box: readonly number[]): boolean =>
  box.every((value) => Math.abs(value) <= tolerance)

const hasBoxes = (pages: readonly PageToPlace[]): boolean =>
  pages.some(({ blocks }) => blocks.some(({ bbox }) => finite(bbox)))
