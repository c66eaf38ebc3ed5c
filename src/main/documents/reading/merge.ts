import { blockKind } from '../../../shared/document/block-kind.ts'
import { renumberPlaceholders } from '../../../shared/document/placeholders.ts'
import type { BoxRegime, PageSize, PartPlan } from '../../../shared/model/document.ts'
import type { LayoutBlock, ParsedLayout } from '../../api/layout.ts'
import { placeBoxes } from './coordinates.ts'
import type { PlacedPage } from './coordinates.ts'
import { markdownPages } from './markdown-pages.ts'
import { pageMarkdown, comparableText } from './page-markdown.ts'
import type { ReadBlock } from './page-markdown.ts'
import { placeholderShift } from './placeholder-base.ts'
import type { DisplayedPage } from './rasters.ts'

/** A part as sent: pages `first` to `last` of the document. */
export interface SentPart extends PartPlan {
  /** `file`: as a separate file, whose pages count from 1; `range`: as a page range of the whole document. */
  readonly as: 'file' | 'range'
  /** Of the whole document. */
  readonly pages: number
}

/** One page of a response, by its number in the document. */
export interface ReadPage {
  readonly page: number
  /** In reading order, with placeholders numbered as in the document. */
  readonly blocks: readonly ReadBlock[]
  /** Size of the response's image of the page, if known. */
  readonly raster: PageSize | null
  readonly regime: BoxRegime
  /** Generated from the blocks. */
  readonly markdown: string
  /** URL of the image of its layout, if the response has one for each page. */
  readonly layoutPicture: string | null
}

/** Content of a response for the requested pages. */
export interface ReadPart {
  /** Requested pages in the response, with or without blocks, in order. */
  readonly pages: readonly ReadPage[]
  /** Requested pages that the response lacks, in order. */
  readonly missing: readonly number[]
  /** Pages in the response that were not requested; their numbers may exceed the document. */
  readonly surplus: readonly ReadPage[]
  /**
   * False when the response contains fewer pages than it counts, and may have left out any of them: the assignment is a
   * guess.
   */
  readonly aligned: boolean
  readonly regime: BoxRegime
  /** Whether the units of its boxes could not be determined for certain. */
  readonly guessed: boolean
  /** The text as returned, and with placeholders numbered as in the document (from 0, as in responses). */
  readonly returned: string
  readonly renumbered: string
  /** There were no blocks and no page breaks in the text: all of it is on the first page. */
  readonly unsplit: boolean
}

/**
 * Reads the response of a part (service-notes 12) page by page. `sizes` are those of the document's pages as displayed;
 * `known` are the box units of earlier responses of the provider.
 */
export function readPart(
  layout: ParsedLayout,
  part: SentPart,
  sizes: readonly DisplayedPage[],
  known: BoxRegime | null = null,
): ReadPart {
  const requestedCount = part.last - part.first + 1
  const hasBlocks = layout.pages.some((blocks) => blocks.length > 0)
  const text = hasBlocks || layout.markdown.trim() === '' ? null : textPages(layout, requestedCount)
  const lists = text ? text.pages.map(textBlocks) : layout.pages
  const from = pageOfFirst(part, lists.length)
  const sizesFrom = pageOfFirst(part, layout.pageSizes.length)
  const placed = placeBoxes(
    lists.map((blocks, at) => ({
      reportedSize: layout.pageSizes[from + at - sizesFrom] ?? null,
      blocks,
      inspected: sizes[from + at - 1] ?? null,
    })),
    known,
  )
  const shift = placeholderShift({ ...layout, pages: lists }, part.first, lists.length)
  const renumber = (index: number): number => Math.max(0, index + shift + from - 1)
  const held = lists.map((blocks, at): ReadPage => {
    const page = from + at
    const read = readBlocks(blocks, placed.pages[at], renumber)
    const images = layout.visualisations.length === lists.length ? layout.visualisations : []
    return {
      page,
      blocks: read,
      raster: placed.pages[at]?.raster ?? null,
      regime: placed.regime,
      markdown: pageMarkdown(page, read),
      layoutPicture: images[at] ?? null,
    }
  })
  const isRequested = ({ page }: ReadPage): boolean => page >= part.first && page <= part.last
  const pages = held.filter(isRequested)
  const found = new Set(pages.map(({ page }) => page))
  return {
    pages,
    missing: Array.from({ length: requestedCount }, (_, at) => part.first + at).filter(
      (page) => !found.has(page),
    ),
    // A list for the whole document has entries for all its pages: the empty ones were not parsed.
    surplus: held.filter(
      (page) => !isRequested(page) && (from === part.first || page.blocks.length > 0),
    ),
    aligned: lists.length >= requestedCount || layout.pageCount === lists.length,
    regime: placed.regime,
    guessed: placed.guessed,
    returned: layout.markdown,
    renumbered: renumberPlaceholders(layout.markdown, renumber),
    unsplit: text?.unsplit ?? false,
  }
}

/**
 * Returns the document page that a list of this length begins with: the first requested one, or page 1 when it has an
 * entry for each page.
 */
const pageOfFirst = ({ as, first, last, pages }: SentPart, length: number): number =>
  as === 'range' && length === pages && length > last - first + 1 ? 1 : first

/** Returns the text of each page when a response has nothing else; as many pages as it reports. */
function textPages(
  { markdown, pages, pageCount }: ParsedLayout,
  requestedCount: number,
): { readonly pages: readonly string[]; readonly unsplit: boolean } {
  const counted = pages.length || (pageCount ?? requestedCount)
  const count = Math.max(1, Math.min(requestedCount, counted))
  const apart = markdownPages(markdown, count)
  if (apart) return { pages: apart, unsplit: false }
  return {
    pages: Array.from({ length: count }, (_, at) => (at === 0 ? markdown : '')),
    unsplit: true,
  }
}

const textBlocks = (content: string): readonly LayoutBlock[] =>
  content.trim() === ''
    ? []
    : [
        {
          index: 0,
          label: 'text',
          nativeLabel: null,
          bbox: null,
          content,
          width: null,
          height: null,
        },
      ]

/** Returns blocks in reading order: by the response's own numbers, and as listed where those are equal. */
function readBlocks(
  blocks: readonly LayoutBlock[],
  placed: PlacedPage | undefined,
  renumber: (index: number) => number,
): readonly ReadBlock[] {
  return blocks
    .map((block, at) => ({ block, place: placed?.boxes[at] }))
    .toSorted((a, b) => a.block.index - b.block.index)
    .map(({ block: { label, nativeLabel, content }, place }, order) => ({
      order,
      kind: blockKind(label, nativeLabel),
      label,
      nativeLabel,
      content: renumberPlaceholders(content, renumber),
      box: place?.box ?? null,
      raw: place?.raw ?? null,
      guessed: place?.guessed ?? false,
    }))
}

/**
 * Whether the returned text differs from the blocks or has another order, ignoring markup, images and spaces. Takes
 * longer than the whole import (a few milliseconds per hundred thousand characters): run it only on demand.
 */
export function returnedDiffers({
  returned,
  pages,
  surplus,
}: {
  readonly returned: string
  readonly pages: readonly Pick<ReadPage, 'page' | 'blocks'>[]
  readonly surplus: readonly Pick<ReadPage, 'page' | 'blocks'>[]
}): boolean {
  if (returned === '') return false
  const held = [...pages, ...surplus].toSorted((a, b) => a.page - b.page)
  const reported = comparableText(returned)
  // Some providers leave running heads and page numbers out of their text, others do not.
  return ![false, true].some((withEdges) => {
    const texts = held.map(({ page, blocks }) => pageMarkdown(page, blocks, withEdges))
    return reported === comparableText(texts.join('\n\n'))
  })
}
