import type { PageSize } from '../../../../../shared/model/document.ts'
import type { LayoutBlock } from '../../../../provider-client/layout-response.ts'

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
export const tolerance = 1.02

/** Returns the size, or null when it is invalid (0, negative, not finite). */
export const pageSizeOf = (width: number | null, height: number | null): PageSize | null =>
  width !== null && height !== null && isLength(width) && isLength(height)
    ? { width, height }
    : null

const isLength = (value: number): boolean => Number.isFinite(value) && value > 0

/** Returns the box if all four values are finite numbers. */
export const finite = (bbox: LayoutBlock['bbox']): LayoutBlock['bbox'] =>
  bbox?.every(Number.isFinite) ? bbox : null

/** Whether a box is within an image of this size. */
export const fits = ([x1, y1, x2, y2]: readonly number[], { width, height }: PageSize): boolean =>
  within(x1, width) && within(x2, width) && within(y1, height) && within(y2, height)

const within = (value: number | undefined, side: number): boolean =>
  value !== undefined && value >= side * (1 - tolerance) && value <= side * tolerance

/**
 * Returns the page's size from its blocks: the one that all blocks with a size agree on, unless it is clearly a block's
 * own.
 */
export function rasterByBlocks(blocks: PageToPlace['blocks']): PageSize | null {
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
export function rastersOf(pages: readonly PageToPlace[]): readonly (PageSize | null)[] {
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
  const thousandths = { width: 1000, height: 1000 }
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
export function guessedRasters(
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
export const isPixel = (box: readonly number[]): boolean =>
  fits(box, { width: maxPixels, height: maxPixels })
