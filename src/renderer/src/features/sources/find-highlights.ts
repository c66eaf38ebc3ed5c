import { fitsPage, pageOf } from '../../../../shared/chat/places.ts'
import {
  blocksUnder,
  blocksWithWords,
  decideFirstPage,
  shareOf,
} from '../../../../shared/chat/places-match.ts'
import type { Source } from '../../../../shared/chat/sources.ts'
import { plainWords } from '../../../../shared/document/plain-text.ts'
import type { Block, Box } from '../../../../shared/model/document.ts'

/** A rectangle of a document's page (from 1) that is lit. */
export interface HighlightedPlace {
  readonly page: number
  readonly box: Box
}

/** What of a document a source is. */
export interface Lights {
  /** Every rectangle, in the order of the pages. */
  readonly places: readonly HighlightedPlace[]
  /** Blocks of the Library that are meant. */
  readonly blocks: readonly Block[]
  /** The first page that is meant; null when nothing of it was found. */
  readonly page: number | null
  /** How it was found: rectangles of the service, the passage's words, a page without more, not at all. */
  readonly by: 'positions' | 'words' | 'page' | 'nothing'
}

/** A document of the Library as it is looked through. */
export interface SearchedDocument {
  readonly pages: number
  /** Blocks of a stretch of pages, at most {@link batchPages}. */
  blocks(first: number, last: number): Promise<readonly Block[]>
  /** Pages with a block that holds all of some words. */
  find(query: string): Promise<readonly number[]>
  /** Width over height of a page as it is shown; null where it is not known. */
  aspect(page: number): number | null
  /** Words of a page's own text; null where it has none that can be read. */
  words(page: number): Promise<string | null>
}

/** Pages whose blocks are asked for at once. */
export const batchPages = 50
/** Pages that are looked through from the beginning, where no word leads anywhere. */
const maxBlockPages = 200
const maxTextPages = 40
const unknown: Lights = { places: [], blocks: [], page: null, by: 'nothing' }

/** Finds a source on the pages of its document: by its positions where they are told, else by its words. */
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
    // Measured on a page of another shape, it would lie where the passage is not.
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

/** Blocks of some pages; those that follow each other are asked for together. */
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

/** Words of a passage that are searched for: the beginnings of its longest sentences. */
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
