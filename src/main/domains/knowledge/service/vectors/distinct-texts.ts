import { createHash } from 'node:crypto'
import { stopped } from '../../../../provider-client/network-errors.ts'

/** Text with its indices (from 0) in a list. */
export interface DistinctText {
  readonly text: string
  /** SHA-256 of its UTF-8 bytes, 32 bytes: the cache key. */
  readonly hash: Buffer
  readonly places: readonly number[]
}

/** Returns the cache key of a text: SHA-256 of its UTF-8 bytes, 32 bytes. */
export const hashOfText = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Number of texts hashed before yielding to the event loop. */
const hashedAtOnce = 256

/** Returns the distinct texts in the order of their first occurrence. */
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

/**
 * Processes a list in slices, yielding in between. Throws CANCELLED (TIMEOUT for a deadline) after the signal fired.
 */
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
