import {
  renumberPlaceholders,
  placeholdersIn,
  type RawBox,
} from '../../../../../shared/documents/placeholders.ts'
import type {
  BoxRegime,
  PageSize,
  PartPlan,
  BlockKind,
} from '../../../../../shared/model/document.ts'
import type { LayoutBlock, ParsedLayout } from '../../../../provider-client/layout-response.ts'
import { type DisplayedPage, placeBoxes, type PlacedPage } from './coordinates.ts'
import { pageMarkdown, comparableText, type ReadBlock } from './page-markdown.ts'

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

/** Comment that begins a page: `<!-- page 3 -->`, `<!-- Page: 3 -->`. */
const pageComment =
  /^[ \t]{0,3}<!--[ \t]{0,9}page[ \t]{0,9}[:=#]?[ \t]{0,9}(\d{1,6})[ \t]{0,9}-->[ \t]*$/gimu

/** Horizontal rule, alone between empty lines. */
const rule = /\n[ \t]*\n[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*\n[ \t]*\n/u

/**
 * Splits Markdown into `count` pages if the text itself marks where pages end: by form feeds, by comments with page
 * numbers, or by exactly as many rules as there are page breaks. Null when pages cannot be separated.
 */
function markdownPages(markdown: string, count: number): readonly string[] | null {
  if (count === 1) return [markdown]
  return byFormFeeds(markdown, count) ?? byComments(markdown, count) ?? byRules(markdown, count)
}

function byFormFeeds(markdown: string, count: number): readonly string[] | null {
  const pages = markdown.replace(/\f\s*$/u, '').split('\f')
  return pages.length === count ? trimmed(pages) : null
}

function byComments(markdown: string, count: number): readonly string[] | null {
  const marks = Array.from(markdown.matchAll(pageComment))
  const [first] = marks
  if (!first || marks.length !== count || markdown.slice(0, first.index).trim() !== '') return null
  const inOrder = marks.every((mark, at) => Number(mark[1]) === Number(first[1]) + at)
  if (!inOrder) return null
  return trimmed(
    marks.map((mark, at) => markdown.slice(mark.index + mark[0].length, marks[at + 1]?.index)),
  )
}

function byRules(markdown: string, count: number): readonly string[] | null {
  const pages = markdown.split(rule)
  return pages.length === count ? trimmed(pages) : null
}

const trimmed = (pages: readonly string[]): readonly string[] => pages.map((page) => page.trim())

/** Maximum number of placeholders of one text that are evaluated: more would not change the result. */
const maxVotes = 10_000

/**
 * Returns the offset from a placeholder's number to the index (from 0) of its page in the response. Providers usually
 * count from 0 in the response; for a request of pages from `first` on, one may count in the whole document, or from 1.
 * Determined by blocks that contain a placeholder or its box, otherwise by the numbers themselves.
 */
function placeholderShift(
  { markdown, pages }: Pick<ParsedLayout, 'markdown' | 'pages'>,
  first: number,
  count: number,
): number {
  const shifts = [0, -1, 1 - first, -first]
  const votes = new Map<number, number>()
  const vote = (shift: number): void => {
    if (shifts.includes(shift)) votes.set(shift, (votes.get(shift) ?? 0) + 1)
  }
  const numbers: number[] = []
  for (const [place, blocks] of pages.entries())
    for (const { content } of blocks)
      for (const { index } of placeholdersIn(content, maxVotes)) {
        numbers.push(index)
        vote(place - index)
      }
  const places = placesByBox(pages)
  for (const { index, box } of placeholdersIn(markdown, maxVotes)) {
    numbers.push(index)
    for (const place of (box && places.get(keyOf(box))) ?? []) vote(place - index)
  }
  const within = (shift: number): boolean =>
    numbers.every((index) => index + shift >= 0 && index + shift < count)
  const highest = Math.max(0, ...votes.values())
  const candidates = highest > 0 ? shifts.filter((shift) => votes.get(shift) === highest) : shifts
  return candidates.find(within) ?? candidates[0] ?? 0
}

/**
 * Returns pages by the boxes of their blocks, rounded to whole numbers since placeholders may be rounded; fractions are
 * unchanged.
 */
function placesByBox(pages: ParsedLayout['pages']): ReadonlyMap<string, ReadonlySet<number>> {
  const places = new Map<string, Set<number>>()
  for (const [place, blocks] of pages.entries())
    for (const { bbox } of blocks) {
      if (!bbox) continue
      const key = keyOf(bbox)
      places.set(key, (places.get(key) ?? new Set<number>()).add(place))
    }
  return places
}

const keyOf = (box: RawBox): string =>
  box.map((value) => (Math.abs(value) > 2 ? Math.round(value) : value.toFixed(4))).join(' ')

/**
 * Kinds of the provider's labels (notes on layout parsing: four coarse labels, about 25 native ones); others are
 * `other`.
 */
const kinds: Readonly<Record<string, BlockKind>> = {
  doc_title: 'title',
  paragraph_title: 'title',
  title: 'title',
  text: 'text',
  paragraph: 'text',
  abstract: 'text',
  content: 'text',
  reference: 'text',
  reference_content: 'text',
  vertical_text: 'text',
  list: 'text',
  table: 'table',
  formula: 'formula',
  display_formula: 'formula',
  inline_formula: 'formula',
  image: 'figure',
  figure: 'figure',
  chart: 'figure',
  seal: 'figure',
  header_image: 'figure',
  footer_image: 'figure',
}

/** Returns the kind of a block by its labels; the more specific one takes precedence. */
export function blockKind(label: string, nativeLabel: string | null): BlockKind {
  const known = (name: string | null): BlockKind | undefined =>
    name !== null && Object.hasOwn(kinds, name) ? kinds[name] : undefined
  return known(nativeLabel) ?? known(label) ?? 'other'
}
