import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { moveFile, removal } from '../system/file-moves.ts'

/** Uploaded file as the API returns it (service-notes 2). */
interface StoredFile {
  readonly id: string
  readonly object: 'file'
  readonly bytes: number
  /** Unix seconds. */
  readonly created_at: number
  readonly filename: string
  readonly purpose: string
}

/** Upload whose bytes are on disk but which is not visible yet. */
export interface Upload {
  readonly bytes: number
  /** Makes the file visible. */
  keep(facts: { filename: string; purpose: string; createdAt: number }): Promise<StoredFile>
  /** Removes the written bytes. */
  discard(): Promise<void>
}

/**
 * Store of uploaded files in one folder that only its owner can read: `<id>.bin` contains the bytes, and `<id>.json`
 * makes the file exist.
 */
export interface FileStore {
  receive(stream: Readable): Promise<Upload>
  /** Returns all files, newest first. */
  list(): Promise<readonly StoredFile[]>
  /** Returns the path of the bytes of a file; undefined if it does not exist. */
  pathOf(id: string): Promise<string | undefined>
  /** Returns false if the file did not exist. */
  remove(id: string): Promise<boolean>
}

/** Only IDs created here are used in a path. */
const idPattern = /^file-[0-9a-f-]{36}$/

/** Opens the store; its folder is created with the first upload. `ids` returns UUIDs. */
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
      // An existing folder may be readable by others.
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
          // Renamed into place, so that a listed file is complete.
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
