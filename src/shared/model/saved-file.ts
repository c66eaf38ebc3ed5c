import type { Failure } from '../contract/reply.ts'

/** Role of a file in the response that references it. */
export type SavedRole = 'video' | 'cover' | 'image' | 'audio' | 'file' | 'page'

/**
 * A file referenced by a response of the provider, downloaded before its URL expires. `waiting`: in progress or to be
 * retried; `kept`: saved in the Library; `missing`: not available, and only the user can retry.
 */
export interface SavedFile {
  readonly role: SavedRole
  /** Index among the files of its role, from 0. */
  readonly place: number
  readonly address: string
  /** File name for saving. */
  readonly name: string
  readonly state: 'waiting' | 'kept' | 'missing'
  /** Null until saved. */
  readonly mediaId: string | null
  readonly mime: string | null
  readonly bytes: number | null
  /** Why the last attempt failed. */
  readonly error: Failure | null
}
