import type { Failure } from '../bridge/reply.ts'

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
  /** Unix milliseconds of the last change. */
  readonly since: number
  readonly error?: Failure
}
