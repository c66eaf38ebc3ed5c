import type { ErrorCode, Failure } from '../bridge/reply.ts'

/** Replies that were received and could not be stored yet: they are in memory, and are written as soon as that works. */
export interface UnsavedReplies {
  readonly count: number
  /** What the store said last: DISK_FULL, DATABASE_BUSY, DATABASE_DAMAGED, READ_ONLY. */
  readonly code: ErrorCode
}

/**
 * The state in the status bar.
 * `unknown`: no call was made yet since start; `offline`: the last call did not reach the service; `no-key`: the account has no key.
 */
export interface ConnectionState {
  readonly accountId: string
  readonly accountName: string
  readonly preset: import('../service/profiles.ts').PresetId
  readonly state: 'unknown' | 'online' | 'offline' | 'no-key' | 'key-rejected' | 'starting'
  /** Jobs that wait for the network. */
  readonly waiting: number
  /** Absent when all is stored. */
  readonly unsaved?: UnsavedReplies
  /** Unix milliseconds of the last change. */
  readonly since: number
  readonly error?: Failure
}
