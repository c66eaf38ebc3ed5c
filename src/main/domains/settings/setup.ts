import { join } from 'node:path'
import type { Works } from '../../background-work.ts'
import type { Context, Platform } from '../../context.ts'
import type { App, HostDeps } from '../../host.ts'
import type { NewActivityCall } from '../../library-database/types.ts'
import { createUnsaved } from '../../platform/database/unsaved.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import type { StoredKeys } from '../../platform/secrets/stored-keys.ts'
import { createApi } from '../../provider-client/index.ts'
import { setupSelfTest } from '../../self-test/setup.ts'
import { createAppUpdates } from '../../updates/app-updates.ts'
import {
  accountHandlers,
  networkHandlers,
  selfTestHandlers,
  settingsHandlers,
  shortcutHandlers,
  systemHandlers,
  updateHandlers,
} from './routes.ts'
import { createAccounts, keyedAccounts } from './service/accounts/accounts.ts'
import { createConnection } from './service/connection/connection.ts'
import { createLocalService, type LibrarySearch } from './service/local/local.ts'
import { createNetworkChoices, createNetworkSettings } from './service/network/network.ts'

/** Accounts, connection, network, This computer, updates and the self-test. */
export function setupSettings(
  platform: Platform,
  needs: {
    readonly keys: Keys
    readonly stored: Pick<StoredKeys, 'firstStart'>
    /** Called with each request to the provider. */
    record(call: NewActivityCall): void
    /** Searches the Library for the on-device assistants. */
    readonly search: LibrarySearch
    /** Resumes what waited for an account. */
    accountReady(accountId: string): void
    /** Creates another app, for the self-test. */
    createApp(host: HostDeps): Promise<App>
  },
) {
  const { store, clock, ids, log, emit, calls, home } = platform
  needs.stored.firstStart(() => {
    const earlier = keyedAccounts(store.accounts.list())
    // A library that was just restored does not report which account a key was created with; such leftovers can only be deleted.
    return store.notice.state === 'ok' ? earlier : earlier.map((each) => ({ ...each, origin: '' }))
  })
  const network = createNetworkChoices(store, home, platform.proxyFor)
  const api = createApi({
    clock,
    ids,
    ...network,
    record(call) {
      needs.record(call)
      connection.observe(call)
    },
  })
  const localHome = join(home, 'this-computer')
  const local = createLocalService({
    ...platform,
    home: localHome,
    search: needs.search,
    onState: (state) => connection.setLocal(state),
  })
  const accounts = createAccounts({
    store,
    keys: needs.keys,
    local,
    clock,
    ids,
    onChange(change) {
      emit({ type: 'accounts.changed' })
      const isActive = change.accountId === accounts.active().id
      if (['active', 'removed'].includes(change.what) || isActive) connection.refresh()
      // Work that waits for a removed account finds out.
      if (change.what !== 'active') needs.accountReady(change.accountId)
    },
  })
  const connection = createConnection({
    accounts,
    api,
    clock,
    onChange: (state) => emit({ type: 'connection.changed', state }),
    onOnline: needs.accountReady,
  })
  const unsaved = createUnsaved({ log, onChange: (now) => connection.setUnsaved(now) })
  const updates = createAppUpdates({
    ...platform,
    network,
    host: platform,
    onChange: (state) => emit({ type: 'updates.changed', state }),
  })
  const selfTest = setupSelfTest(platform, { network, updates, createApp: needs.createApp })
  const networkSettings = createNetworkSettings({
    store,
    home,
    trust: platform.trust,
    onChange(settings) {
      emit({ type: 'settings.changed', settings })
      connection.refresh()
      needs.accountReady(accounts.active().id)
    },
  })

  return {
    localHome,
    local,
    connection,
    updates,
    selfTest,
    /** Completes the context of the other domains. */
    provided: {
      network,
      api,
      accounts,
      activeAccountId: () => accounts.active().id,
      keep: unsaved.keep,
      setWaiting: connection.setWaiting,
    } satisfies Omit<Context, keyof Platform>,
    work: {
      other: [
        unsaved,
        {
          async shutdown() {
            connection.stop()
            await Promise.all([updates.close(), selfTest.shutdown()])
          },
          async close() {
            await Promise.all([local.stop(), api.close()])
          },
        },
      ],
    } satisfies Works,
    handlers: {
      ...accountHandlers({ accounts, connection, calls }),
      ...networkHandlers(networkSettings),
      ...selfTestHandlers(selfTest),
      ...settingsHandlers(platform, updates),
      ...shortcutHandlers(store, platform.shortcuts),
      ...systemHandlers(platform.system),
      ...updateHandlers(updates),
    },
  }
}
