import type { BlockHit } from '../../../../../shared/contract/documents.ts'

/**
 * One match of a query in a document: its index within a block, or within a page whose blocks are not known.
 */
export interface FoundPlace {
  readonly page: number
  /** Null for a match in the file's own text. */
  readonly blockId: string | null
  /** From 0, in the order of the text. */
  readonly nth: number
  /** Set for a match in the note on a highlight. */
  readonly highlightId?: string
}

/** Returns each match in the blocks, in reading order. */
export function placesOf(hits: readonly BlockHit[]): readonly FoundPlace[] {
  return hits.flatMap(({ blockId, page, ranges }) =>
    ranges.map((_, nth) => ({ page, blockId, nth })),
  )
}

/** Whether two matches are the same. */
export function isSamePlace(a: FoundPlace | null, b: FoundPlace | null): boolean {
  return (
    a?.page === b?.page &&
    a?.blockId === b?.blockId &&
    a?.nth === b?.nth &&
    a?.highlightId === b?.highlightId
  )
}

/** Start of a search: the current page, or the current match. */
export interface Anchor {
  readonly page: number
  readonly blockId?: string | null
  readonly nth?: number
}

/**
 * Returns the index of the first match to show: the anchor's own, that of its block, or the next one from its page on;
 * -1 when there is none.
 */
export function startAt(places: readonly FoundPlace[], anchor: Anchor): number {
  const { page, blockId = null, nth = 0 } = anchor
  const inBlock = (place: FoundPlace): boolean => blockId !== null && place.blockId === blockId
  const same = places.findIndex((place) =>
    blockId === null ? place.page === page && place.nth >= nth : inBlock(place) && place.nth >= nth,
  )
  if (same >= 0) return same
  const block = places.findIndex(inBlock)
  return block >= 0 ? block : places.findIndex((place) => place.page >= page)
}
