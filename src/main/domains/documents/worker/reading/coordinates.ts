import type { Box, BoxRegime, PageSize } from '../../../../../shared/model/document.ts'
import type { LayoutBlock } from '../../../../provider-client/layout-response.ts'

/** Position of a block. */
interface PlacedBox {
  /** Null when the block has no box, or one without area on its page. */
  readonly box: Box | null
  /** As sent; null when they were not numbers. */
  readonly raw: readonly [number, number, number, number] | null
  readonly guessed: boolean
}

/** The boxes of one page, one for each of its blocks. */
export interface PlacedPage {
  /** Size of the page's image, if the response contains it. */
  readonly raster: PageSize | null
  readonly boxes: readonly PlacedBox[]
}

/** Boxes of a whole response. */
export interface PlacedReply {
  readonly regime: BoxRegime
  /** Whether the units could not be determined for certain. */
  readonly guessed: boolean
  readonly pages: readonly PlacedPage[]
}

/**
 * Returns the boxes of a response (service-notes 12) as fractions of the pages as displayed: corners in order, within
 * the page, none without area (notes R3). One unit applies to the whole response; `known` is the one of earlier
 * responses of the same provider.
 */
export function placeBoxes(
  given: readonly PageToPlace[],
  known: BoxRegime | null = null,
): PlacedReply {
  const pages = given.map((page) => ({
    ...page,
    inspected:
      page.inspected && pageSizeOf(page.inspected.width, page.inspected.height) && page.inspected,
  }))
  const rasters = rastersOf(pages)
  const { regime, guessed } = regimeOf(pages, rasters, known)
  const units = regime === 'pixels' ? guessedRasters(pages, rasters) : rasters
  return {
    regime,
    guessed,
    pages: pages.map((page, at) => {
      const raster = rasters[at] ?? null
      const turn = turnOf(raster, page.inspected)
      const unit = unitOf(regime, units[at] ?? null)
      const doubt = guessed || turn.guessed || (regime === 'pixels' && !raster)
      return {
        raster,
        boxes: page.blocks.map(({ bbox }) => place(bbox, regime, unit, turn.degrees, doubt)),
      }
    }),
  }
}

function unitOf(regime: BoxRegime, raster: PageSize | null): PageSize | null {
  if (regime === 'fractions') return { width: 1, height: 1 }
  return regime === 'thousandths' ? thousandths : raster
}

function place(
  bbox: LayoutBlock['bbox'],
  regime: BoxRegime,
  unit: PageSize | null,
  degrees: number,
  doubt: boolean,
): PlacedBox {
  const raw = finite(bbox)
  if (!raw || !unit) return { box: null, raw, guessed: false }
  // A fraction among larger numbers uses different units than the rest, and they are unknown.
  if (regime !== 'fractions' && isFraction(raw)) return { box: null, raw, guessed: true }
  const [x1, y1, x2, y2] = raw
  const parts = [x1 / unit.width, y1 / unit.height, x2 / unit.width, y2 / unit.height] as const
  const over = parts.some((part) => part < -overhang || part > 1 + overhang)
  return { box: ordered(turned(parts, degrees)), raw, guessed: doubt || over }
}

/** Fraction of the page by which a box may exceed its edge without raising doubts. */
const overhang = 0.02

/** Two opposite corners as fractions of the page, in any order, possibly outside of it. */
type Corners = readonly [x1: number, y1: number, x2: number, y2: number]

const clamped = (part: number): number => Math.min(1, Math.max(0, part))

/** Returns corners in order and within the page; null without area. */
function ordered([x1, y1, x2, y2]: Corners): Box | null {
  const left = clamped(Math.min(x1, x2))
  const top = clamped(Math.min(y1, y2))
  const right = clamped(Math.max(x1, x2))
  const bottom = clamped(Math.max(y1, y2))
  return right > left && bottom > top ? [left, top, right, bottom] : null
}

/** Maximum difference of two aspect ratios that count as equal: images have whole pixels. */
const aspectTolerance = 0.02

const sameAspect = (one: PageSize, width: number, height: number): boolean =>
  Math.abs((one.width * height) / (one.height * width) - 1) <= aspectTolerance

/**
 * Returns by how much boxes must be turned, clockwise, from the response's image to the page as displayed. The provider
 * normally applies a page's rotation; if its image has the page's sides swapped, it did not. An image that matches
 * neither shows something else of the page, and its boxes are guesses.
 */
function turnOf(
  raster: PageSize | null,
  inspected: DisplayedPage | null,
): { readonly degrees: number; readonly guessed: boolean } {
  if (!raster || !inspected) return { degrees: 0, guessed: false }
  if (sameAspect(raster, inspected.width, inspected.height)) return { degrees: 0, guessed: false }
  if (!sameAspect(raster, inspected.height, inspected.width)) return { degrees: 0, guessed: true }
  const degrees = (((inspected.rotation ?? 0) % 360) + 360) % 360
  if (degrees === 90 || degrees === 270) return { degrees, guessed: false }
  return { degrees: 90, guessed: true }
}

function turned(corners: Corners, degrees: number): Corners {
  const [x1, y1, x2, y2] = corners
  if (degrees === 90) return [1 - y1, x1, 1 - y2, x2]
  return degrees === 270 ? [y1, 1 - x1, y2, 1 - x2] : corners
}

/** Units of the boxes in a response, and whether they are a guess. */
interface Regime {
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
function regimeOf(
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
const isFraction = (box: readonly number[]): boolean =>
  box.every((value) => Math.abs(value) <= tolerance)

const hasBoxes = (pages: readonly PageToPlace[]): boolean =>
  pages.some(({ blocks }) => blocks.some(({ bbox }) => finite(bbox)))

/**
 * Size of a document page as displayed and, if known, the rotation that includes: clockwise degrees of /Rotate.
 */
export interface DisplayedPage extends PageSize {
  readonly rotation?: number | undefined
}

/** One page of a response, and what is known about the page it shows. */
export interface PageToPlace {
  /** Size of the page's image in the response; null when it has none. */
  readonly reportedSize: PageSize | null
  readonly blocks: readonly Pick<LayoutBlock, 'bbox' | 'width' | 'height'>[]
  readonly inspected: DisplayedPage | null
}

/** Factor by which boxes may exceed an edge, for rounding and generous detectors. */
const tolerance = 1.02

/** Returns the size, or null when it is invalid (0, negative, not finite). */
const pageSizeOf = (width: number | null, height: number | null): PageSize | null =>
  width !== null && height !== null && isLength(width) && isLength(height)
    ? { width, height }
    : null

const isLength = (value: number): boolean => Number.isFinite(value) && value > 0

/** Returns the box if all four values are finite numbers. */
const finite = (bbox: LayoutBlock['bbox']): LayoutBlock['bbox'] =>
  bbox?.every(Number.isFinite) ? bbox : null

/** Whether a box is within an image of this size. */
const fits = ([x1, y1, x2, y2]: readonly number[], { width, height }: PageSize): boolean =>
  within(x1, width) && within(x2, width) && within(y1, height) && within(y2, height)

const within = (value: number | undefined, side: number): boolean =>
  value !== undefined && value >= side * (1 - tolerance) && value <= side * tolerance

/**
 * Returns the page's size from its blocks: the one that all blocks with a size agree on, unless it is clearly a block's
 * own.
 */
function rasterByBlocks(blocks: PageToPlace['blocks']): PageSize | null {
  let agreed: PageSize | null = null
  for (const block of blocks) {
    const size = pageSizeOf(block.width, block.height)
    if (!size) continue
    if (agreed && (agreed.width !== size.width || agreed.height !== size.height)) return null
    if (isOwnSize(block, size)) return null
    agreed = size
  }
  return agreed
}

/** Whether the size is that of the block itself, which does not begin at the page's corner. */
function isOwnSize({ bbox }: Pick<LayoutBlock, 'bbox'>, { width, height }: PageSize): boolean {
  const box = finite(bbox)
  if (!box || Math.max(box[0], box[1]) < 2) return false
  return Math.abs(box[2] - box[0] - width) < 1 && Math.abs(box[3] - box[1] - height) < 1
}

/**
 * Returns the size of each page's image: as given for pages, otherwise for blocks; the other way round when most boxes
 * are outside of the first. Null when neither is given.
 */
function rastersOf(pages: readonly PageToPlace[]): readonly (PageSize | null)[] {
  const byPage = pages.map(
    (page) => page.reportedSize && pageSizeOf(page.reportedSize.width, page.reportedSize.height),
  )
  const byBlocks = pages.map((page) => rasterByBlocks(page.blocks))
  const first = byPage.map((size, at) => size ?? byBlocks[at] ?? null)
  if (!mostAreOutside(pages, first)) return first
  const second = byBlocks.map((size, at) => size ?? byPage[at] ?? null)
  return mostAreOutside(pages, second) ? pages.map(() => null) : second
}

/** Whether most boxes are neither within their page nor within thousandths of it. */
function mostAreOutside(
  pages: readonly PageToPlace[],
  sizes: readonly (PageSize | null)[],
): boolean {
  let outside = 0
  let all = 0
  for (const [at, page] of pages.entries()) {
    const size = sizes[at]
    if (!size) continue
    for (const { bbox } of page.blocks) {
      const box = finite(bbox)
      if (!box) continue
      all += 1
      if (!fits(box, size) && !fits(box, thousandths)) outside += 1
    }
  }
  return outside * 2 > all
}

/** Common resolutions of rendered pages, in dots per inch. */
const commonDpi = [72, 96, 100, 120, 144, 150, 200, 240, 300, 400, 600]

/**
 * Returns a size for pages whose image size is unknown, when boxes are pixels: scaled like other pages of the response,
 * otherwise at the smallest common resolution that contains every box. Page sizes are in points, image sizes in pixels:
 * both are tried unscaled first.
 */
function guessedRasters(
  pages: readonly PageToPlace[],
  rasters: readonly (PageSize | null)[],
): readonly (PageSize | null)[] {
  const known = rasters.flatMap((size, at) => {
    const inspected = pages[at]?.inspected
    return size && inspected ? [size.width / inspected.width] : []
  })
  const scale = known.toSorted((a, b) => a - b)[known.length >> 1] ?? smallestFittingScale(pages)
  return rasters.map((size, at) => {
    const inspected = pages[at]?.inspected
    if (size || !inspected) return size
    return { width: inspected.width * scale, height: inspected.height * scale }
  })
}

function smallestFittingScale(pages: readonly PageToPlace[]): number {
  const scales = commonDpi.map((dpi) => dpi / 72)
  const holding = scales.find((scale) =>
    pages.every(({ inspected, blocks }) => {
      if (!inspected) return true
      const size = { width: inspected.width * scale, height: inspected.height * scale }
      return blocks.every(({ bbox }) => {
        const box = finite(bbox)
        return !box || !isPixel(box) || fits(box, size)
      })
    }),
  )
  return holding ?? scales.at(-1) ?? 1
}

/** Maximum side length of a page image in pixels: coordinates beyond it are no position. */
const maxPixels = 30_000

/** Whether a box could be on any page image. */
const isPixel = (box: readonly number[]): boolean =>
  fits(box, { width: maxPixels, height: maxPixels })
