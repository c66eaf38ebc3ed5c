import type { Failure } from '../bridge/reply.ts'

/** What is read back by its id: a Response (service-notes 13) or a conversation with the slides agent (service-notes 10). */
export type RemoteItemKind = 'response' | 'slides'

/**
 * `asking`: the first answer has not come; `watching`: the service still works on it, and is asked again by itself; `waiting`: the
 * account cannot be asked now, it goes on when it can; `refused`: no answer ever came, and only the user can do something;
 * `over`: it was read, and nothing is asked by itself any more.
 */
export type RemoteItemState = 'asking' | 'watching' | 'waiting' | 'refused' | 'over'

/** Something that was read back, as lists show it. Times are Unix milliseconds. */
export interface RemoteItem {
  readonly id: string
  readonly kind: RemoteItemKind
  /** Its id at the service. */
  readonly remoteId: string
  readonly accountId: string
  /** As it was when it was first asked for. */
  readonly accountName: string
  /** The user's name for it, or how its content begins; its id as long as nothing came. */
  readonly title: string
  readonly model: string | null
  /** The service's own word for how it stands; null where it has none, or nothing came. */
  readonly status: string | null
  readonly state: RemoteItemState
  /** Questions asked so far. */
  readonly attempts: number
  /** Null when nothing is planned. */
  readonly nextPollAt: number | null
  /** Why the last question brought nothing. */
  readonly error: Failure | null
  /** Who answered, where the reply says so. */
  readonly engine: string | null
  /** What it could not do, in its own words. */
  readonly notice: string | null
  /** Readings that are kept: one for each that differed from the one before. */
  readonly versions: number
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was read last; null when it never was. */
  readonly fetchedAt: number | null
}

/** A reading that is kept. */
export interface RemoteItemVersion {
  /** From 1. */
  readonly number: number
  readonly status: string | null
  /** Unix milliseconds. */
  readonly at: number
}

/** A page of a list. */
export interface RemoteItemPage {
  readonly items: readonly RemoteItem[]
  /** `before` of the next page; null at the end. */
  readonly next: string | null
}

/** Whose files those of a version are, as `files.changed` tells. */
export const versionOwnerOf = (remoteItemId: string, version: number): string =>
  `${remoteItemId}/${version}`
