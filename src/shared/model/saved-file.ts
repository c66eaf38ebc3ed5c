import type { Failure } from '../bridge/reply.ts'

/** What a file is to the reply that names it. */
export type SavedRole = 'video' | 'cover' | 'image' | 'audio' | 'file' | 'page'

/**
 * A file that a reply of the service names, brought here before its address expires. `waiting`: it is on its way or will be tried again;
 * `kept`: it lies in the library's files; `missing`: it could not be had, and only the user tries again.
 */
export interface SavedFile {
  readonly role: SavedRole
  /** Its place among those of its role, from 0. */
  readonly place: number
  readonly address: string
  /** To save it under. */
  readonly name: string
  readonly state: 'waiting' | 'kept' | 'missing'
  /** Null until it is kept. */
  readonly mediaId: string | null
  readonly mime: string | null
  readonly bytes: number | null
  /** Why the last try brought nothing. */
  readonly error: Failure | null
}
