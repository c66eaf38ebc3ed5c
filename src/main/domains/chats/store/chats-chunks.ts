import type { StoredText } from './chats-parts.ts'
import { rowsPerItem } from '../../../platform/database/search-rows.ts'

/** UTF-16 units of a chunk: tokenizing and writing one takes a few milliseconds. */
const chunkUnits = 8192
/**
 * Overlap with the next chunk, so that a word at the boundary is found: more than a term of eight characters or a long
 * word.
 */
const sharedUnits = 128
const step = chunkUnits - sharedUnits

/** Returns the number of chunks for a text of this many UTF-16 units; 1 if it is empty. */
export const chunkCount = (length: number): number =>
  Math.max(1, Math.min(rowsPerItem, Math.ceil((length - sharedUnits) / step)))

/** Returns the offset of a chunk in its text. */
export const chunkStart = (place: number): number => place * step

/** Returns a chunk of a text; text beyond 33 million units is in the last one. */
export const chunkOf = (text: string | StoredText, place: number): string =>
  text.slice(
    chunkStart(place),
    place === rowsPerItem - 1 ? text.length : chunkStart(place) + chunkUnits,
  )
