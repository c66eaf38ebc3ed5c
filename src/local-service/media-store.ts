import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveFile, removal } from '../system/file-moves.ts'
import { ServiceError } from './errors.ts'
import { fileBytes } from './file-bytes.ts'
import type { ServiceReply } from './http.ts'

/** File types that responses may link to. */
const types = {
  png: 'image/png',
  jpg: 'image/jpeg',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
} as const

/** Extension of a linked file. */
export type MediaEnding = keyof typeof types

/** Store of files that responses link to: crops, page images, voice previews. */
export interface MediaStore {
  /**
   * Saves the bytes and returns their URL. The URL needs no API key, as with links of such providers: the name cannot be
   * guessed.
   */
  put(bytes: Uint8Array, ending: MediaEnding): Promise<string>
  /**
   * Returns the URL of the file created earlier for the key; otherwise creates it, once for all concurrent callers. Its
   * age is reset. The key must contain a secret, since the name is derived from it.
   */
  putOnce(key: string, ending: MediaEnding, make: () => Promise<Uint8Array>): Promise<string>
  /** Handles `GET /media/{name}`. Throws ServiceError for an invalid name. */
  get(name: string): Promise<ServiceReply>
  /** Returns the bytes of a stored file; undefined if it no longer exists. */
  read(name: string): Promise<Uint8Array | undefined>
  /**
   * Returns the current URL of a stored file: the port of the service changes with each start. `name` is the last part of
   * a URL.
   */
  urlOf(name: string): string
  /** Removes a file; does nothing if it does not exist. */
  remove(name: string): Promise<void>
  /**
   * Removes files from before a time (Unix milliseconds) whose names are not in `kept`, and interrupted writes.
   */
  prune(before: number, retained: ReadonlySet<string>): Promise<void>
}

/** Returns the file name of a URL: its last part. */
export const mediaName = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Only names created here are used in a path. */
const namePattern = /^[0-9a-f]{32}\.(\w{3})$/

/** Files that are being written, or whose writing was interrupted. */
const freshPattern = /^\.[0-9a-f]{32}\.\w{3}$/

/** Path prefix of links that need no API key. */
export const mediaPath = '/media/'

/**
 * Opens the store; its folder is created with the first file. `origin` returns the URL of the service once it listens.
 */
export function openMediaStore(folder: string, origin: () => string): MediaStore {
  const urlOf = (name: string): string => `${origin()}${mediaPath}${name}`
  const making = new Map<string, Promise<void>>()

  const keep = async (name: string, bytes: Uint8Array): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Renamed when complete.
    const fresh = join(folder, `.${name}`)
    try {
      await writeFile(fresh, bytes, { mode: 0o600 })
      await moveFile(fresh, join(folder, name))
    } catch (error) {
      await rm(fresh, removal)
      throw error
    }
  }

  /** Returns true if the file exists, and resets its age. */
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
