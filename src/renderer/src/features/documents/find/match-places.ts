import type { BlockHit } from '../../../../../shared/bridge/documents.ts'

/** One place of a query in a document: which of the matches of a block it is, or of a page whose blocks are not known. */
export interface FoundPlace {
  readonly page: number
  /** Null for a place in the file's own text. */
  readonly blockId: string | null
  /** From 0, in the order of the text. */
  readonly nth: number
}

/** Hits of blocks, one by one, in reading order. */
export function placesOf(hits: readonly BlockHit[]): readonly FoundPlace[] {
  return hits.flatMap(({ blockId, page, ranges }) =>
    ranges.map((_, nth) => ({ page, blockId, nth })),
  )
}

/** Whether two places are the same one. */
export function isSamePlace(a: FoundPlace | null, b: FoundPlace | null): boolean {
  return a?.page === b?.page && a?.blockId === b?.blockId && a?.nth === b?.nth
}

/** Where a search begins: the page that is read, or the place the reader stands at. */
export interface Anchor {
  readonly page: number
  readonly blockId?: string | null
  readonly nth?: number
}

/** The place to stand at first: the anchor's own, its block's, or the next one from its page on; -1 when none of these is among them. */
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
