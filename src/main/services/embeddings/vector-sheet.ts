import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { MediaFiles } from '../../media/files.ts'
import { takeIn } from '../../media/made-file.ts'
import { openVectorFile } from '../../operations/vectors.ts'

/** Vectors on their way into a file: each at the places of its text, whatever comes first. */
export interface VectorSheet {
  put(places: readonly number[], vector: Float32Array): void
  /** Places that have a vector. */
  readonly filled: number
  /** Marks what is missing, and keeps the file; gives its media id. */
  keep(name: string): Promise<string>
  /** Leaves nothing behind. */
  drop(): Promise<void>
}

/** Rows without a vector that are marked at a time. */
const markedAtOnce = 256

/** Begins a file of `count` vectors. */
export async function openSheet(
  path: string,
  count: number,
  dimensions: number,
  files: Pick<MediaFiles, 'intake'>,
): Promise<VectorSheet> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await openVectorFile(path)
  const there = new Uint8Array(count)
  const none = new Float32Array(dimensions).fill(Number.NaN)
  let filled = 0

  const mark = async (): Promise<void> => {
    for (let at = 0, marked = 0; at < count; at++) {
      if (there[at] === 1) continue
      file.put(at, [none])
      marked += 1
      if (marked % markedAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return {
    get filled() {
      return filled
    },
    put(places, vector) {
      for (const place of places) {
        if (there[place] === 0) filled += 1
        there[place] = 1
        file.put(place, [vector])
      }
    },
    async keep(name) {
      await mark()
      await file.close()
      const mediaId = await takeIn(files, path, name)
      await rm(path, { force: true })
      return mediaId
    },
    async drop() {
      await file.close().catch(() => undefined)
      await rm(path, { force: true })
    },
  }
}
