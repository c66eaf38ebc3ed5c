import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { moveFile, removal } from '../system/file-moves.ts'

/** An uploaded file as the interface tells it (service-notes 2). */
export interface StoredFile {
  readonly id: string
  readonly object: 'file'
  readonly bytes: number
  /** Unix seconds. */
  readonly created_at: number
  readonly filename: string
  readonly purpose: string
}

/** An upload whose bytes are on the disk but which nobody can see yet. */
export interface Upload {
  readonly bytes: number
  /** Makes it visible. */
  keep(facts: { filename: string; purpose: string; createdAt: number }): Promise<StoredFile>
  /** Removes what was written. */
  discard(): Promise<void>
}

/** Uploaded files in one folder that only its owner can read: `<id>.bin` holds the bytes, `<id>.json` makes the file exist. */
export interface FileStore {
  receive(stream: Readable): Promise<Upload>
  /** All files, newest first. */
  list(): Promise<readonly StoredFile[]>
  /** Where the bytes of a file lie; undefined when there is no such file. */
  pathOf(id: string): Promise<string | undefined>
  /** False when there was no such file. */
  remove(id: string): Promise<boolean>
}

/** Only ids of our own making become part of a path. */
const idPattern = /^file-[0-9a-f-]{36}$/

/** Opens the shelf; its folder is made with the first upload. `ids` gives UUIDs. */
export function openFileStore(folder: string, ids: () => string): FileStore {
  const bytesPath = (id: string): string => join(folder, `${id}.bin`)
  const factsPath = (id: string): string => join(folder, `${id}.json`)

  const read = async (id: string): Promise<StoredFile | undefined> => {
    if (!idPattern.test(id)) return undefined
    try {
      return JSON.parse(await readFile(factsPath(id), 'utf8')) as StoredFile
    } catch {
      return undefined
    }
  }

  const names = async (): Promise<readonly string[]> => {
    try {
      return await readdir(folder)
    } catch {
      return []
    }
  }

  return {
    async receive(stream) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // One that was there already may be open to others.
      await chmod(folder, 0o700)
      const id = `file-${ids()}`
      const path = bytesPath(id)
      const discard = (): Promise<void> => rm(path, removal)
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      try {
        await pipeline(stream, target)
      } catch (error) {
        await discard()
        throw error
      }
      const bytes = target.bytesWritten
      return {
        bytes,
        discard,
        async keep({ filename, purpose, createdAt }) {
          const facts: StoredFile = {
            id,
            object: 'file',
            bytes,
            created_at: createdAt,
            filename,
            purpose,
          }
          // Renamed into place: a file that is listed is whole.
          await writeFile(`${factsPath(id)}.new`, JSON.stringify(facts), { mode: 0o600 })
          await moveFile(`${factsPath(id)}.new`, factsPath(id))
          return facts
        },
      }
    },
    async list() {
      const listed = (await names()).filter((name) => name.endsWith('.json'))
      const files = await Promise.all(listed.map((name) => read(name.slice(0, -'.json'.length))))
      return files
        .filter((file) => file !== undefined)
        .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    },
    async pathOf(id) {
      return (await read(id)) ? bytesPath(id) : undefined
    },
    async remove(id) {
      if (!(await read(id))) return false
      await rm(factsPath(id), removal)
      await rm(bytesPath(id), removal)
      return true
    },
  }
}
