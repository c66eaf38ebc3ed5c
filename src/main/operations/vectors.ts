import { open } from 'node:fs/promises'
import { fromFileSystem } from '../store/file-errors.ts'
import { bytesOfVector } from '../vectors/bytes.ts'

/** Vectors that are turned into numbers at a time: some milliseconds of work. */
const slice = 8

/** A vector as JSON has it: each number as the reply has it. */
export const numbersOf = (vector: Float64Array): number[] => Array.from(vector)

/** Vectors as lists of numbers, turned in slices between which everything else goes on. */
export async function numberLists(vectors: readonly Float64Array[]): Promise<number[][]> {
  const lists: number[][] = []
  for (const vector of vectors) {
    if (lists.length % slice === 0) await new Promise((resolve) => setImmediate(resolve))
    lists.push(numbersOf(vector))
  }
  return lists
}

/** A file of vectors of one length and width: floats, little-endian, one vector after the other, without a head. */
export interface VectorFile {
  /** Writes vectors at their place among all; throws what an earlier write met. A place nothing is written to is zeros. */
  put(start: number, vectors: readonly (Float32Array | Float64Array)[]): void
  /** Resolves when all of it is written; throws what a write met. */
  close(): Promise<void>
}

/** Starts a file of vectors. Writes meet DISK_FULL and READ_ONLY. */
export async function openVectorFile(path: string): Promise<VectorFile> {
  const handle = await open(path, 'w', 0o600)
  let last: Promise<void> = Promise.resolve()
  let failure: { readonly error: unknown } | null = null
  return {
    put(start, vectors) {
      if (failure) throw failure.error
      const [first] = vectors
      if (!first) return
      const bytes = Buffer.concat(vectors.map(bytesOfVector))
      const at = start * first.byteLength
      last = last
        .then(async () => {
          for (let done = 0; done < bytes.length;)
            done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten
        })
        .catch((error: unknown) => void (failure ??= { error: fromFileSystem(error) }))
    },
    async close() {
      await last
      await handle.close()
      if (failure) throw failure.error
    },
  }
}
