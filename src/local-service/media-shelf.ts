import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from './errors.ts'
import type { ServiceReply } from './reply.ts'

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
export interface MediaShelf {
  /** Keeps the bytes and gives their address. It opens without the key, as links of such services do: the name cannot be guessed. */
  put(bytes: Uint8Array, ending: MediaEnding): Promise<string>
  /** The answer to `GET /media/{name}`. Throws ServiceError for a name that is none of ours. */
  get(name: string): Promise<ServiceReply>
  /** The address of a kept file as the service stands now: its port differs from start to start. `name` is the last part of an address. */
  urlOf(name: string): string
  /** Removes a file; one that is gone is no matter. */
  remove(name: string): Promise<void>
}

/** The name under which an address keeps its file: the last part. */
export const mediaName = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** Only names of our own making become part of a path. */
const namePattern = /^[0-9a-f]{32}\.(\w{3})$/

/** Path below which links open without the key. */
export const mediaPath = '/media/'

/** Opens the shelf; its folder is made with the first file. `origin` tells the service's address once it listens. */
export function openMediaShelf(folder: string, origin: () => string): MediaShelf {
  const urlOf = (name: string): string => `${origin()}${mediaPath}${name}`
  return {
    async put(bytes, ending) {
      const name = `${randomBytes(16).toString('hex')}.${ending}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Under its name it is whole.
      const fresh = join(folder, `.${name}`)
      await writeFile(fresh, bytes, { mode: 0o600 })
      await rename(fresh, join(folder, name))
      return urlOf(name)
    },
    urlOf,
    async remove(name) {
      if (namePattern.test(name)) await rm(join(folder, name), { force: true })
    },
    async get(name) {
      const ending = namePattern.exec(name)?.[1] ?? ''
      const type = Object.hasOwn(types, ending) ? types[ending as MediaEnding] : undefined
      const bytes = type && (await readFile(join(folder, name)).catch(() => undefined))
      if (!type || !bytes) throw new ServiceError('unknownPath', '404 NOT_FOUND')
      const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' }
      return { status: 200, headers, body: bytes }
    },
  }
}
