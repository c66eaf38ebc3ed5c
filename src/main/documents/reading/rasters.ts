import type { PageSize } from '../../../shared/model/document.ts'
import type { LayoutBlock } from '../../api/layout.ts'

/** A page of the document as it is looked at, and where known the quarter turns in that: clockwise degrees of /Rotate. */
export interface DisplayedPage extends PageSize {
  readonly rotation?: number | undefined
}

/** One page of a reply, and what is known of the page it shows. */
export interface PageToPlace {
  /** Size the reply tells for the page's picture; null when it tells none. */
  readonly reportedSize: PageSize | null
  readonly blocks: readonly Pick<LayoutBlock, 'bbox' | 'width' | 'height'>[]
  readonly inspected: DisplayedPage | null
}

/** How far boxes may lie over an edge: rounding, and lines that a detector drew generously. */
export const tolerance = 1.02

/** Sizes that are none (0, negative, not finite) are not told. */
export const pageSizeOf = (width: number | null, height: number | null): PageSize | null =>
  width !== null && height !== null && isLength(width) && isLength(height)
    ? { width, height }
    : null

const isLength = (value: number): boolean => Number.isFinite(value) && value > 0

/** The four numbers when all are numbers. */
export const finite = (bbox: LayoutBlock['bbox']): LayoutBlock['bbox'] =>
  bbox?.every(Number.isFinite) ? bbox : null

/** Whether a box lies within a picture of this size. */
export const fits = ([x1, y1, x2, y2]: readonly number[], { width, height }: PageSize): boolean =>
  within(x1, width) && within(x2, width) && within(y1, height) && within(y2, height)

const within = (value: number | undefined, side: number): boolean =>
  value !== undefined && value >= side * (1 - tolerance) && value <= side * tolerance

/** The page's size by its blocks: what all that tell one agree on, unless it is plainly a block's own. */
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

/** The size is that of the block itself, which does not begin at the page's corner. */
function isOwnSize({ bbox }: Pick<LayoutBlock, 'bbox'>, { width, height }: PageSize): boolean {
  const box = finite(bbox)
  if (!box || Math.max(box[0], box[1]) < 2) return false
  return Math.abs(box[2] - box[0] - width) < 1 && Math.abs(box[3] - box[1] - height) < 1
}

/**
 * The size of each page's picture: what the reply tells for pages, else for blocks; the other way round when most boxes lie
 * outside of the first. Null where neither is told.
 */
export function rastersOf(pages: readonly PageToPlace[]): readonly (PageSize | null)[] {
  const byPage = pages.map((page) => page.reportedSize && pageSizeOf(page.reportedSize.width, page.reportedSize.height))
  const byBlocks = pages.map((page) => rasterByBlocks(page.blocks))
  const first = byPage.map((size, at) => size ?? byBlocks[at] ?? null)
  if (!mostAreOutside(pages, first)) return first
  const second = byBlocks.map((size, at) => size ?? byPage[at] ?? null)
  return mostAreOutside(pages, second) ? pages.map(() => null) : second
}

/** Boxes that are neither within their page nor within thousandths of it. */
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

/** Resolutions that pages are usually drawn at, in dots an inch. */
const commonDpi = [72, 96, 100, 120, 144, 150, 200, 240, 300, 400, 600]

/**
 * A size for the pages whose pictures' size is not told, when boxes are pixels: as other pages of the reply are scaled, else the
 * smallest usual resolution that holds every box. Sizes of pages are points, of pictures pixels: both come first as they are.
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

/** No page is drawn larger than this, in pixels a side: what lies further out is no place. */
const maxPixels = 30_000

/** Whether a box could lie on any picture of a page. */
export const isPixel = (box: readonly number[]): boolean =>
  fits(box, { width: maxPixels, height: maxPixels })
