import { z } from 'zod'
import type { KeyStatus } from '../../../shared/contract/accounts.ts'
import { AppError } from '../../errors.ts'
import type { Redactor } from '../security/redact.ts'
import type { Keychain, KeychainProblem } from './keychain.ts'
import { createTurns } from '../files/intake-queue.ts'
import { earlierService, type StoredKeys } from './stored-keys.ts'

/**
 * The accounts' API keys: stored in the OS keychain if possible, else only for this session, and always reported which. A key
 * is stored together with the origin it was entered for and is returned for that origin only, whatever a library that was
 * restored, imported or changed since specifies.
 */
export interface Keys {
  /**
   * Returns what the page may know: whether there is a key for this origin, where it is stored, its last four characters. Never
   * throws.
   */
  status(accountId: string, origin: string): Promise<KeyStatus>
  /** Stores a key. If the keychain refuses, the key is available until Lectern closes and `trouble` has the reason. */
  set(accountId: string, origin: string, key: string): Promise<KeyStatus>
  /** Deletes a key everywhere. Throws KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE if it may still be in the keychain. */
  clear(accountId: string): Promise<void>
  /** Returns the accounts that have, or may have, a key. */
  accounts(): readonly string[]
  /**
   * Returns the key itself, for main only; null if there is none for this origin. Throws KEYCHAIN_LOCKED or
   * KEYCHAIN_UNAVAILABLE.
   */
  read(accountId: string, origin: string): Promise<string | null>
}

/** Returns the last four characters if they are at most a fifth of the key; null for shorter keys. */
export function last4(key: string): string | null {
  return key.length >= 20 ? key.slice(-4) : null
}

/** Content of a keychain entry, as JSON. */
const grantSchema = z.object({ origin: z.string(), key: z.string() })

/** A key and the origin it was entered for. */
type Grant = z.infer<typeof grantSchema>

interface Found {
  readonly grant: Grant | null
  readonly backend: 'keychain' | 'session' | 'none'
  readonly trouble: KeychainProblem | null
}

const none = (trouble: KeychainProblem | null): Found => ({ grant: null, backend: 'none', trouble })

/** Creates the key store on a keychain. Every key is first registered with the redactor. */
export function createKeys(deps: {
  readonly keychain: Keychain
  readonly stored: StoredKeys
  readonly redactor?: Pick<Redactor, 'register'>
}): Keys {
  const { keychain, stored } = deps
  /** Keys that the keychain did not store, and why. */
  const session = new Map<string, { readonly grant: Grant; readonly trouble: KeychainProblem }>()
  // Keys once read from the keychain are not read again: each read may show a prompt.
  const known = new Map<string, Grant>()

  /** Serializes work per account: a key that is cleared while it is being stored or moved would remain. */
  const inTurn = createTurns()
  /** Reads in progress: concurrent callers share their prompt. */
  const looking = new Map<string, Promise<Found>>()
  /** Accounts whose key the keychain may still store, because the prompt of a timed-out call is open. */
  const unfinished = new Set<string>()
  const entryOf = (account: string) => ({ service: stored.service, account })

  /** Stores a grant, after the folder's record of it, so that no entry is ever unrecorded. */
  const store = async (accountId: string, grant: Grant): Promise<KeychainProblem | null> => {
    try {
      const isNew = stored.add(accountId)
      const result = await keychain.set(entryOf(accountId), JSON.stringify(grant))
      if (result.ok) return null
      // Without a keychain nothing was stored. Any other problem may still result in an entry.
      if (result.trouble === 'absent' && isNew) stored.remove(accountId)
      if (result.unfinished) {
        unfinished.add(accountId)
        void result.unfinished.then(() => unfinished.delete(accountId))
      }
      return result.trouble
    } catch {
      // The record could not be written, so nothing may be stored.
      return 'failed'
    }
  }

  /** Migrates an entry from before data folders had IDs, bound to the origin that its account had then. */
  const migrateEntry = async (accountId: string): Promise<Found> => {
    const earlier = stored.earlier(accountId)
    if (!earlier) return none(null)
    const entry = { service: earlierService, account: accountId }
    const read = await keychain.get(entry)
    if (!read.ok) return none(read.trouble)
    if (read.value !== null) deps.redactor?.register(read.value)
    const grant = read.value === null ? null : { origin: earlier.origin, key: read.value }
    const isMoved =
      grant === null ||
      ((await store(accountId, grant)) === null && (await keychain.delete(entry)).ok)
    try {
      if (isMoved) stored.forgetEarlier(accountId)
    } catch {
      // The disk is full: the migration is retried at the next start.
    }
    return grant ? { grant, backend: 'keychain', trouble: null } : none(null)
  }

  const load = async (accountId: string): Promise<Found> => {
    const held = session.get(accountId)
    if (held) return { grant: held.grant, backend: 'session', trouble: held.trouble }
    const cached = known.get(accountId)
    if (cached !== undefined) return { grant: cached, backend: 'keychain', trouble: null }
    const read = await keychain.get(entryOf(accountId))
    if (!read.ok) return none(read.trouble)
    if (read.value === null) {
      const moved = await migrateEntry(accountId)
      if (moved.grant) known.set(accountId, moved.grant)
      return moved
    }
    const grant = parseGrant(read.value)
    if (!grant) return none('failed')
    deps.redactor?.register(grant.key)
    known.set(accountId, grant)
    return { grant, backend: 'keychain', trouble: null }
  }
  const find = (accountId: string): Promise<Found> => {
    const under = looking.get(accountId)
    if (under) return under
    const found = inTurn(accountId, () => load(accountId)).finally(() => looking.delete(accountId))
    looking.set(accountId, found)
    return found
  }

  const statusOf = ({ grant, backend, trouble }: Found, origin: string): KeyStatus => {
    const { store: name } = keychain
    if (grant && grant.origin !== origin)
      return { present: false, backend: 'none', store: name, last4: null, trouble: 'otherOrigin' }
    return {
      present: grant !== null,
      backend,
      store: name,
      last4: grant === null ? null : last4(grant.key),
      trouble,
    }
  }

  /** Deletes one entry; returns null if certainly none is left, else why that is unknown. */
  const remove = async (accountId: string, service: string): Promise<KeychainProblem | null> => {
    const gone = await keychain.delete({ service, account: accountId })
    return gone.ok ? null : gone.trouble
  }

  const clear = async (accountId: string): Promise<void> => {
    session.delete(accountId)
    const mayBeStored = stored.accounts().includes(accountId)
    const earlier = stored.earlier(accountId)
    const trouble =
      (await remove(accountId, stored.service)) ??
      (earlier ? await remove(accountId, earlierService) : null)
    // A missing keychain does not prove that it is empty: it existed when the key was stored.
    if (trouble !== null && (mayBeStored || trouble !== 'absent'))
      throw unreachable(trouble, keychain.store)
    known.delete(accountId)
    // A key deleted now may be stored as soon as the user responds to the prompt.
    if (unfinished.has(accountId)) throw unreachable('locked', keychain.store)
    stored.remove(accountId)
    if (earlier) stored.forgetEarlier(accountId)
  }

  const set = async (accountId: string, origin: string, key: string): Promise<KeyStatus> => {
    deps.redactor?.register(key)
    known.delete(accountId)
    const grant = { origin, key }
    const trouble = await store(accountId, grant)
    if (trouble === null) {
      session.delete(accountId)
      known.set(accountId, grant)
    } else session.set(accountId, { grant, trouble })
    return statusOf(await load(accountId), origin)
  }

  return {
    status: async (accountId, origin) => statusOf(await find(accountId), origin),
    set: (accountId, origin, key) => inTurn(accountId, () => set(accountId, origin, key)),
    clear: (accountId) => inTurn(accountId, () => clear(accountId)),
    accounts: () => [...new Set([...stored.accounts(), ...session.keys()])],
    async read(accountId, origin) {
      const { grant, trouble } = await find(accountId)
      // If no key was ever stored, a missing keychain means no key; otherwise reporting "no key" would be wrong.
      const mayBeStored = trouble !== 'absent' || stored.accounts().includes(accountId)
      if (grant === null && trouble !== null && mayBeStored)
        throw unreachable(trouble, keychain.store)
      return grant?.origin === origin ? grant.key : null
    },
  }
}

/** Parses a grant; null for an entry written by something else. */
function parseGrant(text: string): Grant | null {
  try {
    return grantSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function unreachable(trouble: KeychainProblem, store: string): AppError {
  const locked = trouble === 'locked'
  return new AppError(
    locked ? 'KEYCHAIN_LOCKED' : 'KEYCHAIN_UNAVAILABLE',
    `${store} ${locked ? 'is locked' : 'is not responding'}`,
    { retriable: true, params: { store } },
  )
}
