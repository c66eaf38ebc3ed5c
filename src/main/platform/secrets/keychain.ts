/**
 * Why a keychain call failed: the system has no store for keys; the connection is lost (the session bus is gone); the store
 * does not reply; it is locked, or its prompt was dismissed; anything else.
 */
export type KeychainProblem = 'absent' | 'disconnected' | 'noReply' | 'locked' | 'failed'

/**
 * Result of a keychain call: a value, or the reason there is none. Never throws, never contains the key in a message.
 */
export type KeychainResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly trouble: KeychainProblem
      /**
       * Set if the call timed out while its prompt is still open: settles when it finally ends, with or without success.
       */
      readonly unfinished?: Promise<unknown>
    }

/** Location of a secret in the OS keychain, by the two names that every store supports. */
export interface KeychainEntry {
  readonly service: string
  readonly account: string
}

export interface Keychain {
  /** Product name of the OS store: `Keychain`, `Credential Manager`, `Secret Service`. */
  readonly store: string
  get(entry: KeychainEntry): Promise<KeychainResult<string | null>>
  set(entry: KeychainEntry, secret: string): Promise<KeychainResult<true>>
  delete(entry: KeychainEntry): Promise<KeychainResult<boolean>>
}
