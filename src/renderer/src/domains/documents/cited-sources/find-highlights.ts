import { fitsPage, pageOf } from '../../../../../shared/chats/places.ts'
import {
  blocksUnder,
  blocksWithWords,
  decideFirstPage,
  shareOf,
} from '../../../../../shared/chats/places-match.ts'
import type { Source } from '../../../../../shared/chats/sources.ts'
import { plainWords } from '../../../../../shared/documents/plain-text.ts'
import type { Block, Box } from '../../../../../shared/model/document.ts'

/** A highlighted rectangle on a page (from 1) of a document. */
interface HighlightedPlace {
  readonly page: number
  readonly box: Box
}

/** Places of a source in a document. */
export interface Lights {
  /** All rectangles, in page order. */
  readonly places: readonly HighlightedPlace[]
  /** Blocks of the Library that the source covers. */
  readonly blocks: readonly Block[]
  /** First page of the source; null when nothing was found. */
  readonly page: number | null
  /** How it was found: by the provider's rectangles, by the passage's words, only a page, or not at all. */
  readonly by: 'positions' | 'words' | 'page' | 'nothing'
}

/** A document of the Library to search. */
export interface SearchedDocument {
  readonly pages: number
  /** Returns the blocks of a page range, at most {@link batchPages} pages. */
  blocks(first: number, last: number): Promise<readonly Block[]>
  /** Returns the pages with a block that contains all of the words. */
  find(query: string): Promise<readonly number[]>
  /** Width divided by height of a page as shown; null if unknown. */
  aspect(page: number): number | null
  /** Returns the text layer of a page; null if it has none that is readable. */
  words(page: number): Promise<string | null>
}

/** Number of pages whose blocks are requested at once. */
export const batchPages = 50
/** Maximum number of pages searched from the beginning, where no keyword matches. */
const maxBlockPages = 200
const maxTextPages = 40
const unknown: Lights = { places: [], blocks: [], page: null, by: 'nothing' }

/** Finds a source on the pages of its document: by its positions if reported, otherwise by its words. */
export async function findLights(
  source: Pick<Source, 'text' | 'place'>,
  document: SearchedDocument,
): Promise<Lights> {
  const { place, text } = source
  if (place.hidden) return unknown
  const wordsOf = async (page: number): Promise<string | null> => {
    if (page < 1 || page > document.pages) return null
    const blocks = await document.blocks(page, page)
    return blocks.length > 0 ? blocks.map(plainWords).join('\n') : document.words(page)
  }
  const firstPage =
    place.firstPage ??
    (await decideFirstPage(place.boxes, text, { pages: document.pages, wordsOf }))
  const reportedBoxes = place.boxes.flatMap((one) => {
    const page = pageOf(one.page, firstPage, document.pages)
    if (page === null) return []
    // A box measured on a page of another shape would be in the wrong position.
    return [{ page, box: fitsPage(one, document.aspect(page)) ? one.box : null }]
  })
  if (reportedBoxes.length === 0) return (await byWords(text, document, wordsOf)) ?? unknown
  return byPlaces(reportedBoxes, text, document)
}

async function byPlaces(
  reportedBoxes: readonly { readonly page: number; readonly box: Box | null }[],
  text: string,
  document: SearchedDocument,
): Promise<Lights> {
  const pages = [...new Set(reportedBoxes.map(({ page }) => page))].toSorted((a, b) => a - b)
  const held = await blocksOfPages(pages.slice(0, batchPages), document)
  const rectangles = reportedBoxes.flatMap(({ page, box }) => (box ? [{ page, box }] : []))
  if (rectangles.length > 0) {
    const places = rectangles.toSorted((a, b) => a.page - b.page || a.box[1] - b.box[1])
    const meant = places.flatMap(({ page, box }) =>
      blocksUnder(
        box,
        text,
        held.filter((block) => block.page === page),
      ),
    )
    return { places, blocks: [...new Set(meant)], page: places[0]?.page ?? null, by: 'positions' }
  }
  const lit = highlightsOf(blocksWithWords(text, held))
  return lit ?? { ...unknown, page: pages[0] ?? null, by: 'page' }
}

async function byWords(
  text: string,
  document: SearchedDocument,
  wordsOf: (page: number) => Promise<string | null>,
): Promise<Lights | null> {
  const hits = new Set<number>()
  for (const query of queriesOf(text))
    for (const page of (await document.find(query)).slice(0, 8))
      for (const near of [page - 1, page, page + 1])
        if (near >= 1 && near <= document.pages) hits.add(near)
  const near = await blocksOfPages([...hits].slice(0, batchPages), document)
  const found = highlightsOf(blocksWithWords(text, near))
  if (found) return found
  let parsed = false
  for (let first = 1; first <= Math.min(document.pages, maxBlockPages); first += batchPages) {
    const last = Math.min(document.pages, first + batchPages - 1)
    const blocks = await document.blocks(first, last)
    parsed ||= blocks.length > 0
    const lit = highlightsOf(blocksWithWords(text, blocks))
    if (lit) return lit
  }
  if (parsed) return null
  for (let page = 1; page <= Math.min(document.pages, maxTextPages); page++) {
    const words = await wordsOf(page)
    if (words !== null && shareOf(text, words) >= 0.6) return { ...unknown, page, by: 'page' }
  }
  return null
}

/** Returns the blocks of some pages; consecutive pages are requested together. */
async function blocksOfPages(
  pages: readonly number[],
  document: SearchedDocument,
): Promise<readonly Block[]> {
  const spans: [first: number, last: number][] = []
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && page <= last[1] + 1 && page - last[0] < batchPages) last[1] = page
    else spans.push([page, page])
  }
  const blocks: Block[] = []
  for (const span of spans) for (const block of await document.blocks(...span)) blocks.push(block)
  return blocks
}

function highlightsOf(blocks: readonly Block[]): Lights | null {
  const [first] = blocks
  if (!first) return null
  const places = blocks.flatMap(({ page, box }) => (box ? [{ page, box }] : []))
  return { places, blocks, page: first.page, by: 'words' }
}

/** Returns search queries for a passage: the beginnings of its longest sentences. */
export function queriesOf(text: string): readonly string[] {
  return text
    .slice(0, 20_000)
    .split(/[\n.!?;:|。！？；：]+/u)
    .map((sentence) =>
      sentence
        .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
        .trim()
        .split(' ')
        .slice(0, 8)
        .join(' ')
        .slice(0, 60)
        .trim(),
    )
    .filter((query) => query.length >= 4)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 3)
}
