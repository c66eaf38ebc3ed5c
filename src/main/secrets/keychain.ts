/**
 * Why a keychain call did not work: the system has no store that could hold a key; the way to it is cut (the session bus is gone);
 * it is there and does not reply; it is locked, or its prompt was dismissed; anything else.
 */
export type KeychainProblem = 'absent' | 'disconnected' | 'noReply' | 'locked' | 'failed'

/** Outcome of a keychain call: a value, or the reason there is none. Never throws, never carries the key in a message. */
export type KeychainResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly trouble: KeychainProblem
      /** The call was given up on while its prompt is still open: settles when it ends after all, with or without success. */
      readonly unfinished?: Promise<unknown>
    }

/** Where a secret lies in the OS keychain, by the two names that every store knows. */
export interface KeychainEntry {
  readonly service: string
  readonly account: string
}

/** The OS keychain. */
export interface Keychain {
  /** The OS store's name as people know it: `Keychain`, `Credential Manager`, `Secret Service`. */
  readonly store: string
  get(entry: KeychainEntry): Promise<KeychainResult<string | null>>
  set(entry: KeychainEntry, secret: string): Promise<KeychainResult<true>>
  delete(entry: KeychainEntry): Promise<KeychainResult<boolean>>
}
