import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { removal } from '../../../system/file-moves.ts'
import type { MediaFiles } from '../../media/files.ts'
import { addGeneratedFile } from '../../media/generated-file.ts'
import { fromFileSystem } from '../../store/file-errors.ts'
import { openVectorFile } from '../../operations/vectors.ts'
import { isSingle } from '../../vectors/bytes.ts'

/**
 * Writes vectors to a file, each at the positions of its text, in any order. The file contains 32-bit floats, which search and
 * maps read; if these cannot represent all received numbers exactly, 64-bit floats follow them, which exports read.
 */
export interface VectorSheet {
  put(places: readonly number[], vector: Float64Array): void
  /** Number of positions that have a vector. */
  readonly filled: number
  /** Marks missing vectors and saves the file; returns its media ID. */
  keep(name: string): Promise<string>
  /** Deletes the unfinished file. */
  drop(): Promise<void>
}

/** Number of rows without a vector that are marked at a time. */
const markedAtOnce = 256

/** Creates a file for `count` vectors. */
export async function openSheet(
  path: string,
  count: number,
  dimensions: number,
  files: Pick<MediaFiles, 'intake'>,
): Promise<VectorSheet> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const exactPath = `${path}.exact`
  const file = await openVectorFile(path)
  const exact = await openVectorFile(exactPath)
  let single = true
  const there = new Uint8Array(count)
  const none = new Float32Array(dimensions).fill(Number.NaN)
  let filled = 0

  const mark = async (): Promise<void> => {
    for (let at = 0, marked = 0; at < count; at++) {
      if (there[at] === 1) continue
      file.put(at, [none])
      exact.put(at, [Float64Array.from(none)])
      marked += 1
      if (marked % markedAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const remove = async (): Promise<void> => {
    for (const one of [path, exactPath]) await rm(one, removal)
  }
  return {
    get filled() {
      return filled
    },
    put(places, vector) {
      single &&= isSingle(vector)
      for (const place of places) {
        if (there[place] === 0) filled += 1
        there[place] = 1
        file.put(place, [Float32Array.from(vector)])
        exact.put(place, [vector])
      }
    },
    async keep(name) {
      await mark()
      await file.close()
      await exact.close()
      if (!single)
        await pipeline(createReadStream(exactPath), createWriteStream(path, { flags: 'a' })).catch(
          (error: unknown) => {
            throw fromFileSystem(error)
          },
        )
      const mediaId = await addGeneratedFile(files, path, name)
      await remove()
      return mediaId
    },
    async drop() {
      await file.close().catch(() => undefined)
      await exact.close().catch(() => undefined)
      await remove()
    },
  }
}
