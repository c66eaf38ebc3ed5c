import type { KeyStatus } from '../../shared/model/settings.ts'
import { AppError } from '../errors.ts'
import type { Redactor } from '../security/redact.ts'
import type { Keychain, KeychainTrouble } from './keychain.ts'
import { createMemoryKeychain } from './memory.ts'

/** The accounts' keys: in the OS keychain where it can be used, else for this session only, and always said which. */
export interface Keys {
  /** What the page may know: whether there is a key, where it is kept, its last four characters. Never throws. */
  status(accountId: string): Promise<KeyStatus>
  /** Keeps a key. When the keychain refuses, the key lives until Lectern closes and `trouble` says why. */
  set(accountId: string, key: string): Promise<KeyStatus>
  /** Forgets a key everywhere. Throws KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE when it may still lie in the keychain. */
  clear(accountId: string): Promise<KeyStatus>
  /** The key itself, for main only; null when there is none. Throws KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE. */
  read(accountId: string): Promise<string | null>
}

/** Last four characters, where that gives away at most a fifth of the key; null for shorter keys. */
export function last4(key: string): string | null {
  return key.length >= 20 ? key.slice(-4) : null
}

/** Builds the keys over a keychain. Every key that passes is registered with the redactor before anything else happens to it. */
export function createKeys(deps: {
  readonly keychain: Keychain
  readonly redactor?: Pick<Redactor, 'register'>
}): Keys {
  const { keychain } = deps
  const session = createMemoryKeychain()
  // What the keychain gave once is not asked for again: each look may show a prompt.
  const known = new Map<string, string>()
  const troubles = new Map<string, KeychainTrouble>()

  const generations = new Map<string, number>()
  const generation = (accountId: string): number => generations.get(accountId) ?? 0
  const changed = (accountId: string): void => {
    generations.set(accountId, generation(accountId) + 1)
  }

  const find = async (
    accountId: string,
  ): Promise<{
    key: string | null
    backend: 'keychain' | 'session' | 'none'
    trouble: KeychainTrouble | null
  }> => {
    const kept = await session.get(accountId)
    if (kept.ok && kept.value !== null)
      return { key: kept.value, backend: 'session', trouble: troubles.get(accountId) ?? null }
    const cached = known.get(accountId)
    if (cached !== undefined) return { key: cached, backend: 'keychain', trouble: null }
    const asked = generation(accountId)
    const found = await keychain.get(accountId)
    // A key that was set or cleared meanwhile makes this answer old: ask again rather than remember it.
    if (asked !== generation(accountId)) return find(accountId)
    if (!found.ok) return { key: null, backend: 'none', trouble: found.trouble }
    if (found.value === null) return { key: null, backend: 'none', trouble: null }
    deps.redactor?.register(found.value)
    known.set(accountId, found.value)
    return { key: found.value, backend: 'keychain', trouble: null }
  }

  const status = async (accountId: string): Promise<KeyStatus> => {
    const { key, backend, trouble } = await find(accountId)
    return {
      present: key !== null,
      backend,
      store: keychain.store,
      last4: key === null ? null : last4(key),
      trouble,
    }
  }

  return {
    status,
    async set(accountId, key) {
      deps.redactor?.register(key)
      known.delete(accountId)
      const kept = await keychain.set(accountId, key)
      changed(accountId)
      if (kept.ok) {
        await session.delete(accountId)
        troubles.delete(accountId)
        known.set(accountId, key)
      } else {
        await session.set(accountId, key)
        troubles.set(accountId, kept.trouble)
      }
      return status(accountId)
    },
    async clear(accountId) {
      await session.delete(accountId)
      troubles.delete(accountId)
      const gone = await keychain.delete(accountId)
      if (!gone.ok && gone.trouble !== 'absent') throw unreachable(gone.trouble, keychain.store)
      known.delete(accountId)
      changed(accountId)
      return status(accountId)
    },
    async read(accountId) {
      const { key, trouble } = await find(accountId)
      // No keychain at all can hold no key; a locked or failing one may, and saying "no key" would be wrong.
      if (key === null && trouble !== null && trouble !== 'absent')
        throw unreachable(trouble, keychain.store)
      return key
    },
  }
}

function unreachable(trouble: KeychainTrouble, store: string): AppError {
  const locked = trouble === 'locked'
  return new AppError(
    locked ? 'KEYCHAIN_LOCKED' : 'KEYCHAIN_UNAVAILABLE',
    `${store} ${locked ? 'is locked' : 'does not answer'}`,
    { retriable: true, params: { store } },
  )
}
