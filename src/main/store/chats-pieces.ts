import { rowsPerItem } from './search-numbers.ts'

/** UTF-16 units of a piece: cutting so many into tokens and writing them takes some milliseconds. */
const pieceUnits = 8192
/** Units that a piece shares with the next, so that a word at the seam is found: more than a term of eight characters or a long word. */
const sharedUnits = 128
const step = pieceUnits - sharedUnits

/** A text in the pieces it is indexed in, each beginning `pieceStart` units into it; one for an empty text. What comes after 33 million units shares the last. */
export function piecesOf(text: string): readonly string[] {
  const count = Math.max(1, Math.min(rowsPerItem, Math.ceil((text.length - sharedUnits) / step)))
  return Array.from({ length: count }, (_, place) =>
    text.slice(place * step, place === rowsPerItem - 1 ? text.length : place * step + pieceUnits),
  )
}

/** Where a piece begins, and where it ends, in a text of any length. */
export const pieceSpan = (place: number): readonly [start: number, end: number] => [
  place * step,
  place === rowsPerItem - 1 ? Number.MAX_SAFE_INTEGER : place * step + pieceUnits,
]
