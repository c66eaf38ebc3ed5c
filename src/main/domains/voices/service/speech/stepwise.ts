import type { PlaceRange } from '../../store/speech-types.ts'

/** Yields to the event loop. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Processes the positions of a text in ranges of `size`, yielding in between; ends when `work` returns false.
 */
export async function eachRange(size: number, work: (range: PlaceRange) => boolean): Promise<void> {
  for (let from = 0; work({ from, upTo: from + size }); from += size) await breathe()
}
