import type { Failure } from '../contract/reply.ts'

/**
 * Type of a remote item: a Response (service-notes 13) or a conversation with the slides agent (service-notes 10).
 */
export type RemoteItemKind = 'response' | 'slides'

/**
 * `asking`: no response received yet; `watching`: the provider is still processing it, and it is polled automatically;
 * `waiting`: the account is not available now, continues when it is; `refused`: no response was ever received, and the user
 * needs to act; `over`: it was fetched, and is no longer polled.
 */
export type RemoteItemState = 'asking' | 'watching' | 'waiting' | 'refused' | 'over'

/** A remote item as shown in lists. Times are Unix milliseconds. */
export interface RemoteItem {
  readonly id: string
  readonly kind: RemoteItemKind
  /** Its ID at the provider. */
  readonly remoteId: string
  readonly accountId: string
  /** Name of the account at the first request. */
  readonly accountName: string
  /** The user's name for it, or the beginning of its content; its ID until there is content. */
  readonly title: string
  readonly model: string | null
  /** The provider's own status; null if there is none, or nothing was received. */
  readonly status: string | null
  readonly state: RemoteItemState
  /** Number of requests so far. */
  readonly attempts: number
  /** Null when nothing is planned. */
  readonly nextPollAt: number | null
  /** Why the last request failed. */
  readonly error: Failure | null
  /** Engine named in the response, if any. */
  readonly engine: string | null
  /** Limitations in the engine's own words. */
  readonly notice: string | null
  /** Number of saved snapshots: one for each that differed from the previous one. */
  readonly versions: number
  readonly createdAt: number
  readonly updatedAt: number
  /** When it was last fetched; null if never. */
  readonly fetchedAt: number | null
}

/** A saved snapshot. */
export interface RemoteItemVersion {
  /** From 1. */
  readonly number: number
  readonly status: string | null
  /** Unix milliseconds. */
  readonly at: number
}

export interface RemoteItemPage {
  readonly items: readonly RemoteItem[]
  /** `before` of the next page; null at the end. */
  readonly next: string | null
}

/** Returns the owner of a version's files, as in `files.changed`. */
export const versionOwnerOf = (remoteItemId: string, version: number): string =>
  `${remoteItemId}/${version}`
