import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile } from '../system/file-moves.ts'
import { ServiceError } from './errors.ts'
import { fileBytes } from './file-bytes.ts'
import { removal } from '../system/file-moves.ts'
import type { ServiceReply } from './response.ts'

/** Kinds of files that answers may link to. */
const types = {
  png: 'image/png',
  jpg: 'image/jpeg',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
} as const

/** Ending of a linked file. */
export type MediaEnding = keyof typeof types

/** Where files lie that answers link to: crops, pictures of pages, voice previews. */
export interface MediaStore {
  /** Keeps the bytes and gives their address. It opens without the key, as links of such services do: the name cannot be guessed. */
  put(bytes: Uint8Array, ending: MediaEnding): Promise<string>
  /**
   * The address of what was made for the key before; else makes it, once for all who ask meanwhile. Its age begins anew. The key
   * must hold something that nobody can guess, since the name is made from it.
   */
  putOnce(key: string, ending: MediaEnding, make: () => Promise<Uint8Array>): Promise<string>
  /** The answer to `GET /media/{name}`. Throws ServiceError for a name that is none of ours. */
  get(name: string): Promise<ServiceReply>
  /** The bytes of a kept file; undefined when it is gone. */
  read(name: string): Promise<Uint8Array | undefined>
  /** The address of a kept file as the service stands now: its port differs from start to start. `name` is the last part of an address. */
  urlOf(name: string): string
  /** Removes a file; one that is gone is no matter. */
  remove(name: string): Promise<void>
  /** Removes the files from before a moment (Unix milliseconds) that are not among the names, and writings that broke off. */
  prune(before: number, retained: ReadonlySet<string>): Promise<void>
}

/** The name under which an address keeps its file: the last part. */
export const mediaName = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Only names of our own making become part of a path. */
const namePattern = /^[0-9a-f]{32}\.(\w{3})$/

/** Files whose writing is under way, or broke off. */
const freshPattern = /^\.[0-9a-f]{32}\.\w{3}$/

/** Path below which links open without the key. */
export const mediaPath = '/media/'

/** Opens the shelf; its folder is made with the first file. `origin` tells the service's address once it listens. */
export function openMediaStore(folder: string, origin: () => string): MediaStore {
  const urlOf = (name: string): string => `${origin()}${mediaPath}${name}`
  const making = new Map<string, Promise<void>>()

  const keep = async (name: string, bytes: Uint8Array): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Under its name it is whole.
    const fresh = join(folder, `.${name}`)
    try {
      await writeFile(fresh, bytes, { mode: 0o600 })
      await moveFile(fresh, join(folder, name))
    } catch (error) {
      await rm(fresh, removal)
      throw error
    }
  }

  /** True for a file that is there; it is as young as a new one then. */
  const renewed = async (name: string): Promise<boolean> => {
    const now = new Date()
    try {
      await utimes(join(folder, name), now, now)
      return true
    } catch {
      return false
    }
  }

  return {
    async put(bytes, ending) {
      const name = `${randomBytes(16).toString('hex')}.${ending}`
      await keep(name, bytes)
      return urlOf(name)
    },
    async putOnce(key, ending, make) {
      const name = `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.${ending}`
      const made = async (): Promise<void> => {
        if (!(await renewed(name))) await keep(name, await make())
      }
      const work = making.get(name) ?? made().finally(() => making.delete(name))
      making.set(name, work)
      await work
      return urlOf(name)
    },
    urlOf,
    async remove(name) {
      if (namePattern.test(name)) await rm(join(folder, name), removal)
    },
    async read(name) {
      if (!namePattern.test(name)) return undefined
      return readFile(join(folder, name)).catch(() => undefined)
    },
    async prune(before, retained) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        if (retained.has(name) || !(namePattern.test(name) || freshPattern.test(name))) continue
        const facts = await stat(join(folder, name)).catch(() => undefined)
        if (facts && facts.mtimeMs < before) await rm(join(folder, name), removal)
      }
    },
    async get(name) {
      const ending = namePattern.exec(name)?.[1] ?? ''
      const type = Object.hasOwn(types, ending) ? types[ending as MediaEnding] : undefined
      const body = type && (await fileBytes(join(folder, name)))
      if (!type || !body) throw new ServiceError('unknownPath', '404 NOT_FOUND')
      const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' }
      return { status: 200, headers, body }
    },
  }
}
