import { open } from 'node:fs/promises'
import { fromFileSystem } from '../platform/database/file-errors.ts'
import { bytesOfVector } from '../platform/vectors/bytes.ts'

/** Number of vectors converted to numbers at a time: some milliseconds of work. */
const slice = 8

/** Returns a vector as JSON numbers, each as in the response. */
export const numbersOf = (vector: Float64Array): number[] => Array.from(vector)

/** Converts vectors to lists of numbers in slices, with other work running in between. */
export async function numberLists(vectors: readonly Float64Array[]): Promise<number[][]> {
  const lists: number[][] = []
  for (const vector of vectors) {
    if (lists.length % slice === 0) await new Promise((resolve) => setImmediate(resolve))
    lists.push(numbersOf(vector))
  }
  return lists
}

/** A file of vectors of one length and width: floats, little-endian, one vector after the other, without a header. */
interface VectorFile {
  /** Writes vectors at their position; throws the error of an earlier write. Unwritten positions are zeros. */
  put(start: number, vectors: readonly (Float32Array | Float64Array)[]): void
  /** Resolves when everything is written; throws the error of a failed write. */
  close(): Promise<void>
}

/** Creates a file of vectors. Writes fail with DISK_FULL and READ_ONLY. */
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
