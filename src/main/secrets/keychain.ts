/** Why a keychain call did not work. */
export type KeychainTrouble = 'absent' | 'locked' | 'failed'

/** Outcome of a keychain call: a value, or the reason there is none. Never throws, never carries the key in a message. */
export type KeychainResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: KeychainTrouble }

/** The OS keychain, one secret per account id. */
export interface Keychain {
  /** The OS store's name as people know it: `Keychain`, `Credential Manager`, `Secret Service`. */
  readonly store: string
  get(accountId: string): Promise<KeychainResult<string | null>>
  set(accountId: string, secret: string): Promise<KeychainResult<true>>
  delete(accountId: string): Promise<KeychainResult<boolean>>
}
