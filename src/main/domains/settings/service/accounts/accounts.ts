import type { AccountView, KeyStatus } from '../../../../../shared/contract/accounts.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import {
  checkBaseUrl,
  localAccountId,
  presets,
  type Account,
  type PresetId,
  type Profile,
} from '../../../../../shared/provider/profiles.ts'
import type { ServiceTarget } from '../../../../provider-client/types.ts'
import type { Clock, Ids } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { Keys } from '../../../../platform/secrets/keys.ts'
import type { EarlierKey } from '../../../../platform/secrets/stored-keys.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { LocalService } from '../local/local.ts'

/** The accounts: named profiles, one of them active, each with its own key. */
export interface Accounts {
  list(): Promise<readonly AccountView[]>
  create(request: {
    preset: Exclude<PresetId, 'local'>
    name: string
    baseUrl?: string | undefined
  }): Promise<AccountView>
  update(request: {
    id: string
    name?: string | undefined
    profile?: Profile | undefined
  }): Promise<AccountView>
  /** Deletes the account and its key; content received through it stays. */
  remove(id: string): Promise<void>
  activate(id: string): Promise<AccountView>
  /** Throws REFUSED when the account moves to an origin other than the one the key was provided for. */
  setKey(request: { id: string; key: string; origin?: string | undefined }): Promise<KeyStatus>
  clearKey(id: string): Promise<KeyStatus>
  /** Returns the account currently used for requests. */
  active(): Account
  /** Returns the target of a request; throws ACCOUNT_REMOVED, NO_KEY, BASE_URL_REFUSED or ENGINE_UNAVAILABLE. */
  target(id: string): Promise<ServiceTarget>
}

interface AccountsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly local: LocalService
  readonly clock: Clock
  readonly ids: Ids
  /** Called after every change that matters to a page or a waiting job. */
  onChange(change: {
    readonly accountId: string
    readonly what: 'account' | 'key' | 'active' | 'removed'
  }): void
}

const builtIn: KeyStatus = {
  present: true,
  backend: 'built-in',
  store: '',
  last4: null,
  trouble: null,
}

/** Creates the accounts on top of store and keychain. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, keys } = deps

  const need = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }
  /** Work may outlive its account. */
  const used = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('ACCOUNT_REMOVED', 'The account was removed')
    return account
  }
  const keyStatus = (account: Account): Promise<KeyStatus> =>
    account.preset === 'local'
      ? Promise.resolve(builtIn)
      : keys.status(account.id, originOf(account))
  const view = async (account: Account): Promise<AccountView> => ({
    ...account,
    key: await keyStatus(account),
    active: account.id === store.settings.get().activeAccountId,
  })
  const checked = (profile: Profile): Profile => {
    const url = checkBaseUrl(profile.baseUrl)
    if (!url.ok) throw refusedUrl(url.reason)
    if (!URL.canParse(url.url)) throw refusedUrl('not-a-url')
    return { ...profile, baseUrl: url.url }
  }
  const remoteOnly = (account: Account): Account => {
    if (account.preset === 'local') {
      throw new AppError('REFUSED', 'The “This computer” account cannot be changed')
    }
    return account
  }
  const newKey = (id: string): void => {
    if (store.writable) store.accounts.newKey(id)
  }
  const active = (): Account =>
    store.accounts.get(store.settings.get().activeAccountId) ?? need(localAccountId)

  return {
    list: () => Promise.all(store.accounts.list().map(view)),
    async create({ preset, name, baseUrl }) {
      const profile = presets[preset]
      const account: Account = {
        id: deps.ids(),
        preset,
        name,
        profile: checked({ ...profile, baseUrl: baseUrl ?? profile.baseUrl }),
        createdAt: deps.clock(),
      }
      store.accounts.put(account)
      deps.onChange({ accountId: account.id, what: 'account' })
      return view(account)
    },
    async update({ id, name, profile }) {
      const account = remoteOnly(need(id))
      const next: Account = {
        ...account,
        ...(name !== undefined && { name }),
        ...(profile && { profile: checked(profile) }),
      }
      // A key is provided for one host and read for no other; an unusable key is removed.
      if (originOf(account) !== originOf(next)) await keys.clear(id)
      store.accounts.put(next)
      deps.onChange({ accountId: id, what: 'account' })
      return view(next)
    },
    async remove(id) {
      remoteOnly(need(id))
      // The key is deleted first: an account must never disappear while its key remains.
      await keys.clear(id)
      store.transaction(() => {
        if (store.settings.get().activeAccountId === id) {
          store.settings.update({ activeAccountId: localAccountId })
        }
        store.accounts.remove(id)
      })
      deps.onChange({ accountId: id, what: 'removed' })
    },
    async activate(id) {
      const account = need(id)
      store.settings.update({ activeAccountId: id })
      deps.onChange({ accountId: id, what: 'active' })
      return view(account)
    },
    async setKey({ id, key, origin }) {
      const given = originOf(remoteOnly(need(id)))
      if (origin !== undefined && origin !== given) throw moved()
      // Before and after: requests sent meanwhile may use either key, and are continued with neither.
      newKey(id)
      const status = await keys.set(id, given, key)
      // The keychain prompt may have been open for minutes.
      const now = store.accounts.get(id)
      if (!now || originOf(now) !== given) {
        await keys.clear(id)
        throw moved()
      }
      newKey(id)
      deps.onChange({ accountId: id, what: 'key' })
      return status
    },
    async clearKey(id) {
      const account = remoteOnly(need(id))
      await keys.clear(id)
      deps.onChange({ accountId: id, what: 'key' })
      return keyStatus(account)
    },
    active,
    async target(id) {
      if (used(id).preset === 'local') {
        const { url, key } = await deps.local.address()
        return { ...targetOf(used(id)), baseUrl: url, key }
      }
      for (;;) {
        const origin = originOf(used(id))
        const key = await keys.read(id, origin)
        // The keychain prompt may have been open for minutes: the account's current profile counts.
        const account = used(id)
        const url = checkBaseUrl(account.profile.baseUrl)
        if (!url.ok) throw refusedUrl(url.reason)
        if (originOf(account) !== origin) continue
        if (key === null) throw new AppError('NO_KEY', `The account ${account.name} has no API key`)
        return { ...targetOf(account), baseUrl: url.url, key }
      }
    },
  }
}

const targetOf = (account: Account) => ({
  accountId: account.id,
  accountName: account.name,
  profile: account.profile,
  limits: limitsWith(account.profile.limits),
})

const moved = (): AppError =>
  new AppError('REFUSED', 'The API key was entered for a different host than the account has', {
    params: { problem: 'otherOrigin' },
  })

/** Accounts that may have a key, with the origin it was provided for as far as the library records it. */
export const keyedAccounts = (accounts: readonly Account[]): readonly EarlierKey[] =>
  accounts
    .filter(({ preset }) => preset !== 'local')
    .map((account) => ({ account: account.id, origin: originOf(account) }))

/** Returns '' for an invalid base URL: no key was ever provided for it. */
const originOf = ({ profile }: Account): string =>
  URL.canParse(profile.baseUrl) ? new URL(profile.baseUrl).origin : ''

const refusedUrl = (reason: string): AppError =>
  new AppError('BASE_URL_REFUSED', `The base URL is not allowed: ${reason}`, { params: { reason } })
