import type { AccountView } from '../../../shared/bridge/accounts.ts'
import type { KeyStatus } from '../../../shared/model/settings.ts'
import { limitsWith } from '../../../shared/service/limits.ts'
import {
  checkBaseUrl,
  localAccountId,
  presets,
  type Account,
  type PresetId,
  type Profile,
} from '../../../shared/service/profiles.ts'
import type { ServiceTarget } from '../../api/types.ts'
import type { Clock, Ids } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Keys } from '../../secrets/keys.ts'
import type { Store } from '../../store/types.ts'
import type { LocalService } from '../local/local.ts'

/** The accounts: profiles under names, one of them active, each with a key of its own. */
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
  /** Deletes the account and its key; what it received stays. */
  remove(id: string): Promise<void>
  activate(id: string): Promise<AccountView>
  setKey(id: string, key: string): Promise<KeyStatus>
  clearKey(id: string): Promise<KeyStatus>
  /** The account calls go to now. */
  active(): Account
  /** Whom a call goes to; throws NO_KEY, BASE_URL_REFUSED, ENGINE_UNAVAILABLE or NOT_FOUND. */
  target(id: string): Promise<ServiceTarget>
}

/** What the accounts are built from. */
export interface AccountsDeps {
  readonly store: Store
  readonly keys: Keys
  readonly local: LocalService
  readonly clock: Clock
  readonly ids: Ids
  /** Told after every change that a page or a waiting job may care about. */
  onChange(change: {
    readonly accountId: string
    readonly what: 'account' | 'key' | 'active'
  }): void
}

const builtIn: KeyStatus = {
  present: true,
  backend: 'built-in',
  store: '',
  last4: null,
  trouble: null,
}

/** Builds the accounts over store and keychain. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, keys } = deps

  const need = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'No such account')
    return account
  }
  const keyStatus = (account: Account): Promise<KeyStatus> =>
    account.preset === 'local' ? Promise.resolve(builtIn) : keys.status(account.id)
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
      throw new AppError('REFUSED', 'The account of this computer cannot be changed')
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
      // A key was given to one host: it never follows the account to another, be it a typo or a page gone bad.
      if (!sameOrigin(account.profile.baseUrl, next.profile.baseUrl)) await keys.clear(id)
      store.accounts.put(next)
      deps.onChange({ accountId: id, what: 'account' })
      return view(next)
    },
    async remove(id) {
      remoteOnly(need(id))
      // The key goes first: an account must never vanish while its key stays behind.
      await keys.clear(id)
      store.transaction(() => {
        if (store.settings.get().activeAccountId === id) {
          store.settings.update({ activeAccountId: localAccountId })
        }
        store.accounts.remove(id)
      })
      deps.onChange({ accountId: id, what: 'active' })
    },
    async activate(id) {
      const account = need(id)
      store.settings.update({ activeAccountId: id })
      deps.onChange({ accountId: id, what: 'active' })
      return view(account)
    },
    async setKey(id, key) {
      remoteOnly(need(id))
      // Before and after: what is asked meanwhile may go under either key, and is gone on with under none.
      newKey(id)
      const status = await keys.set(id, key)
      newKey(id)
      deps.onChange({ accountId: id, what: 'key' })
      return status
    },
    async clearKey(id) {
      const status = await keys.clear(remoteOnly(need(id)).id)
      deps.onChange({ accountId: id, what: 'key' })
      return status
    },
    active,
    async target(id) {
      const account = need(id)
      const base = {
        accountId: id,
        accountName: account.name,
        profile: account.profile,
        limits: limitsWith(account.profile.limits),
      }
      if (account.preset === 'local') {
        const { url, key } = await deps.local.address()
        return { ...base, baseUrl: url, key }
      }
      const url = checkBaseUrl(account.profile.baseUrl)
      if (!url.ok) throw refusedUrl(url.reason)
      const key = await keys.read(id)
      if (key === null) throw new AppError('NO_KEY', `The account ${account.name} has no key`)
      return { ...base, baseUrl: url.url, key }
    },
  }
}

const sameOrigin = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin

const refusedUrl = (reason: string): AppError =>
  new AppError('BASE_URL_REFUSED', `The base URL is refused: ${reason}`, { params: { reason } })
