import { z } from 'zod'
import type { KeyStatus } from '../../shared/model/settings.ts'
import { AppError } from '../errors.ts'
import type { Redactor } from '../security/redact.ts'
import type { Keychain, KeychainProblem } from './keychain.ts'
import { createTurns } from '../media/intake-queue.ts'
import { earlierService, type StoredKeys } from './stored-keys.ts'

/**
 * The accounts' keys: in the OS keychain where it can be used, else for this session only, and always said which. A key is stored
 * together with the origin it was given for and is handed out for that origin alone, whatever a library says that was restored,
 * imported or changed since.
 */
export interface Keys {
  /** What the page may know: whether there is a key for this origin, where it is kept, its last four characters. Never throws. */
  status(accountId: string, origin: string): Promise<KeyStatus>
  /** Stores a key. When the keychain refuses, the key lives until Lectern closes and `trouble` says why. */
  set(accountId: string, origin: string, key: string): Promise<KeyStatus>
  /** Deletes a key everywhere. Throws KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE when it may still lie in the keychain. */
  clear(accountId: string): Promise<void>
  /** Accounts that have, or may have, a key. */
  accounts(): readonly string[]
  /** The key itself, for main only; null when there is none for this origin. Throws KEYCHAIN_LOCKED or KEYCHAIN_UNAVAILABLE. */
  read(accountId: string, origin: string): Promise<string | null>
}

/** Last four characters, where that gives away at most a fifth of the key; null for shorter keys. */
export function last4(key: string): string | null {
  return key.length >= 20 ? key.slice(-4) : null
}

/** What an entry of the keychain holds, as JSON. */
const grantSchema = z.object({ origin: z.string(), key: z.string() })

/** A key and the origin it was given for. */
type Grant = z.infer<typeof grantSchema>

interface Found {
  readonly grant: Grant | null
  readonly backend: 'keychain' | 'session' | 'none'
  readonly trouble: KeychainProblem | null
}

const none = (trouble: KeychainProblem | null): Found => ({ grant: null, backend: 'none', trouble })

/** Builds the keys over a keychain. Every key that passes is registered with the redactor before anything else happens to it. */
export function createKeys(deps: {
  readonly keychain: Keychain
  readonly stored: StoredKeys
  readonly redactor?: Pick<Redactor, 'register'>
}): Keys {
  const { keychain, stored } = deps
  /** Keys that the keychain did not take, and why. */
  const session = new Map<string, { readonly grant: Grant; readonly trouble: KeychainProblem }>()
  // What the keychain gave once is not asked for again: each look may show a prompt.
  const known = new Map<string, Grant>()

  /** One thing at a time for each account: a key that is cleared while it is being stored or moved would stay. */
  const inTurn = createTurns()
  /** Looks for a key that are under way: who asks meanwhile shares their prompt. */
  const looking = new Map<string, Promise<Found>>()
  /** Accounts whose key the keychain may still store: a prompt that was given up on is open. */
  const unfinished = new Set<string>()
  const entryOf = (account: string) => ({ service: stored.service, account })

  /** Stores a grant; the folder's record of it first, so that no entry is ever made that nobody knows of. */
  const store = async (accountId: string, grant: Grant): Promise<KeychainProblem | null> => {
    try {
      const isNew = stored.add(accountId)
      const result = await keychain.set(entryOf(accountId), JSON.stringify(grant))
      if (result.ok) return null
      // Where there is no keychain nothing was stored now. Any other trouble may end in an entry.
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

  /** An entry from before data folders had ids: bound to the origin that its account had then, and moved. */
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
      // A disk that is full now: it is looked for again at the next start.
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

  /** Deletes one entry; whether none is left for certain, and else why that is not known. */
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
    // No keychain now is no proof that it holds nothing: it did when the key was stored.
    if (trouble !== null && (mayBeStored || trouble !== 'absent'))
      throw unreachable(trouble, keychain.store)
    known.delete(accountId)
    // What is deleted now may be stored as soon as somebody answers the prompt.
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
      // Where no key was ever stored, a system without a keychain holds none; else saying "no key" would be wrong.
      const mayBeStored = trouble !== 'absent' || stored.accounts().includes(accountId)
      if (grant === null && trouble !== null && mayBeStored)
        throw unreachable(trouble, keychain.store)
      return grant?.origin === origin ? grant.key : null
    },
  }
}

/** Null for what is no grant: an entry that something else wrote. */
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
    `${store} ${locked ? 'is locked' : 'does not answer'}`,
    { retriable: true, params: { store } },
  )
}
