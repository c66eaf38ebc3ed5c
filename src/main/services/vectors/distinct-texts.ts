import { createHash } from 'node:crypto'
import { stopped } from '../../api/network-errors.ts'

/** A text with the places (from 0) it has in a list. */
export interface DistinctText {
  readonly text: string
  /** SHA-256 of its UTF-8, 32 bytes: the key of the cache. */
  readonly hash: Buffer
  readonly places: readonly number[]
}

/** The hash a text is kept under: SHA-256 of its UTF-8, 32 bytes. */
export const hashOfText = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Texts hashed between two turns of everything else. */
const hashedAtOnce = 256

/** The texts that differ, in the order in which they first occur. */
export async function distinctTexts(
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly DistinctText[]> {
  const known = new Map<string, { text: string; hash: Buffer; places: number[] }>()
  let place = 0
  await inSlices(
    texts,
    hashedAtOnce,
    (slice) => {
      for (const text of slice) {
        const same = known.get(text)
        if (same) same.places.push(place)
        else known.set(text, { text, hash: hashOfText(text), places: [place] })
        place += 1
      }
    },
    signal,
  )
  return [...known.values()]
}

/** Works through a list in slices between which everything else goes on. Throws CANCELLED (TIMEOUT for a deadline) once the signal fired. */
export async function inSlices<T>(
  all: readonly T[],
  size: number,
  work: (slice: readonly T[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let start = 0; start < all.length; start += size) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    if (signal?.aborted) throw stopped(signal)
    work(all.slice(start, start + size))
  }
}
