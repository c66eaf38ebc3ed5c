import type { BlockHit } from '../../../../../shared/contract/documents.ts'
import { fold } from '../../../../../shared/text/fold.ts'
import { holds, locate, merge } from '../../../../../shared/text/locate.ts'
import type { Highlight } from '../../../../../shared/model/highlight.ts'
import { parseQuery } from '../../../../../shared/text/query.ts'
import { placesOf, type FoundPlace } from './match-places.ts'

/** Reads a range of matching blocks from a page on; null on failure. */
type ReadHits = (
  query: string,
  from: number,
) => Promise<{ readonly hits: readonly BlockHit[]; readonly next: number | null } | null>

/**
 * Yields the matches in the blocks of a document: from a page to the end, then on the pages before it. Throws when they
 * cannot be read.
 */
export async function* blockPlaces(
  read: ReadHits,
  query: string,
  first: number,
): AsyncGenerator<readonly FoundPlace[]> {
  for (const [from, before] of [
    [first, Infinity],
    [1, first],
  ] as const) {
    let next: number | null = from
    while (next !== null && next < before) {
      const reply: Awaited<ReturnType<ReadHits>> = await read(query, next)
      if (!reply) throw new Error('The matches cannot be read')
      yield placesOf(reply.hits).filter(({ page }) => page < before)
      next = reply.next
    }
  }
}

/** Source of the file's own text. */
interface PageText {
  readonly pages: number
  /** Returns the text of a page; rejects when it cannot be read. */
  text(page: number): Promise<string>
  /** Resolves when nothing more urgent is to be done. */
  idle(): Promise<void>
}

/**
 * Yields the matches in the file's own text, page by page: from a page to the end, then the pages before it. A page that
 * cannot be read has none.
 */
export async function* filePlaces(
  words: PageText,
  query: string,
  first: number,
): AsyncGenerator<readonly FoundPlace[]> {
  const terms = parseQuery(query)
  if (terms.length === 0) return
  for (let step = 0; step < words.pages; step += 1) {
    const page = ((first - 1 + step) % words.pages) + 1
    const text = await words.text(page).catch(() => '')
    const held = locate(text, terms)
    // As for blocks, a page matches only when it contains all words.
    const whole = held.every((ranges) => ranges.length > 0)
    yield whole ? merge(held.flat()).map((_, nth) => ({ page, blockId: null, nth })) : []
    await words.idle()
  }
}

/** Yields the matches in a text together with those in notes, both in the order of the pages from a page on. */
export async function* withNotes(
  places: AsyncIterable<readonly FoundPlace[]>,
  highlights: readonly Highlight[],
  query: string,
  first: number,
): AsyncGenerator<readonly FoundPlace[]> {
  const terms = parseQuery(query)
  const matches = highlights
    .filter(({ note }) => terms.length > 0 && terms.every((term) => holds(fold(note), term)))
    .map(({ id, page }): FoundPlace => ({ page, blockId: null, nth: 0, highlightId: id }))
  const isAhead = ({ page }: FoundPlace): boolean => page >= first
  const waiting = [...matches.filter(isAhead), ...matches.filter((one) => !isAhead(one))]
  const isDue = (note: FoundPlace, place: FoundPlace): boolean =>
    isAhead(note) === isAhead(place) ? note.page <= place.page : isAhead(note)
  for await (const found of places) {
    const merged: FoundPlace[] = []
    for (const place of found) {
      while (waiting[0] && isDue(waiting[0], place)) merged.push(...waiting.splice(0, 1))
      merged.push(place)
    }
    yield merged
  }
  yield waiting
}
