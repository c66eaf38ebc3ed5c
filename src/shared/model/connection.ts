import type { ErrorCode, Failure } from '../contract/reply.ts'

/** Responses that were received but could not be stored yet: they are in memory and written as soon as possible. */
export interface UnsavedReplies {
  readonly count: number
  /** Latest error of the store: DISK_FULL, DATABASE_BUSY, DATABASE_DAMAGED, READ_ONLY. */
  readonly code: ErrorCode
}

/**
 * The state in the status bar. `unknown`: no request since the start; `offline`: the last request did not reach the provider;
 * `no-key`: the account has no API key.
 */
export interface ConnectionState {
  readonly accountId: string
  readonly accountName: string
  readonly preset: import('../provider/profiles.ts').PresetId
  readonly state: 'unknown' | 'online' | 'offline' | 'no-key' | 'key-rejected' | 'starting'
  /** Number of jobs waiting for the network. */
  readonly waiting: number
  /** Absent when everything is stored. */
  readonly unsaved?: UnsavedReplies
  /** Unix milliseconds of the last change. */
  readonly since: number
  readonly error?: Failure
}
