import type { PartedText } from './chats-parts.ts'
import { rowsPerItem } from './search-numbers.ts'

/** UTF-16 units of a piece: cutting so many into tokens and writing them takes some milliseconds. */
const chunkUnits = 8192
/** Units that a piece shares with the next, so that a word at the seam is found: more than a term of eight characters or a long word. */
const sharedUnits = 128
const step = chunkUnits - sharedUnits

/** In how many pieces a text of this many UTF-16 units is indexed; one when it is empty. */
export const chunkCount = (length: number): number =>
  Math.max(1, Math.min(rowsPerItem, Math.ceil((length - sharedUnits) / step)))

/** Where a piece begins in its text. */
export const chunkStart = (place: number): number => place * step

/** A piece of a text; what comes after 33 million units is in the last. */
export const chunkOf = (text: string | PartedText, place: number): string =>
  text.slice(
    chunkStart(place),
    place === rowsPerItem - 1 ? text.length : chunkStart(place) + chunkUnits,
  )
