import { createReadStream, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { RunFile } from '../../../shared/model/run.ts'
import type { MediaFiles } from '../../media/files.ts'

/** The files one run writes, until they are kept like any other file. */
export interface Outputs {
  /** Where a file of this name is to be written. */
  path(name: string): Promise<string>
  /** Takes what was written into the library's files. */
  keep(): Promise<readonly RunFile[]>
  /** Removes what is left. */
  clear(): Promise<void>
}

/** A folder of one run's own, made at the first file. */
export function createOutputs(folder: string, files: Pick<MediaFiles, 'intake'>): Outputs {
  const names = new Set<string>()
  return {
    async path(name) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      names.add(basename(name))
      return join(folder, basename(name))
    },
    async keep() {
      const kept: RunFile[] = []
      for (const name of names) {
        const path = join(folder, name)
        if (!existsSync(path)) continue
        const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
        kept.push({ name, mediaId: (await files.intake(stream, name)).id })
      }
      return kept
    },
    async clear() {
      if (names.size > 0) await rm(folder, { recursive: true, force: true })
    },
  }
}
