import type { PlaceRange } from '../../store/speech-types.ts'

/** Lets everything else have its turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Goes through the places of a text, `size` at a time, everything else between them; ends once `work` says that nothing follows. */
export async function eachRange(size: number, work: (range: PlaceRange) => boolean): Promise<void> {
  for (let from = 0; work({ from, upTo: from + size }); from += size) await breathe()
}
