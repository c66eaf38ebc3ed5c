import type { Accounts } from './service/accounts/accounts.ts'
import type { Connection } from './service/connection/connection.ts'
import type { Calls } from '../../platform/bridge/calls.ts'
import type { Handlers } from '../../platform/bridge/router.ts'
import type { NetworkSettings } from './service/network/network.ts'
import type { SelfTest } from '../../self-test/self-test.ts'
import type { Store } from '../../library-database/store.ts'
import {
  shortcutNames,
  type GlobalShortcut,
  type ShortcutName,
} from '../../../shared/contract/shortcuts.ts'
import { AppError } from '../../errors.ts'
import type { ShortcutHost, SystemHost } from '../../host.ts'
import type { Updates } from '../../updates/updates.ts'
import type { Context } from '../../context.ts'

interface AccountHandlerDeps {
  readonly accounts: Accounts
  readonly connection: Connection
  readonly calls: Calls
}

/** Handlers of accounts, their keys (write-only) and the connection check. */
export const accountHandlers = ({
  accounts,
  connection,
  calls,
}: AccountHandlerDeps): Pick<
  Handlers,
  | 'accounts.list'
  | 'accounts.create'
  | 'accounts.update'
  | 'accounts.remove'
  | 'accounts.activate'
  | 'accounts.setKey'
  | 'accounts.clearKey'
  | 'accounts.check'
> => ({
  'accounts.list': () => accounts.list(),
  'accounts.create': (request) => accounts.create(request),
  'accounts.update': (request) => accounts.update(request),
  'accounts.remove': async ({ id }) => {
    await accounts.remove(id)
    return {}
  },
  'accounts.activate': ({ id }) => accounts.activate(id),
  'accounts.setKey': (request) => accounts.setKey(request),
  'accounts.clearKey': ({ id }) => accounts.clearKey(id),
  'accounts.check': ({ id, callId }, { connection: page }) =>
    calls.run(page.id, callId, (signal) => connection.check(id, signal)),
})

/** Handlers of network settings changes, each confirmed by the user outside of the page. */
export const networkHandlers = (
  network: NetworkSettings,
): Pick<
  Handlers,
  'network.setProxy' | 'network.addCertificates' | 'network.removeCertificates'
> => ({
  'network.setProxy': ({ proxy }, { connection }) => network.setProxy(proxy, connection.id),
  'network.addCertificates': (_, { connection }) => network.addCertificates(connection.id),
  'network.removeCertificates': (_, { connection }) => network.removeCertificates(connection.id),
})

/** Handlers of the self-test: started by a page, answered by pages, stopped by any page. */
export const selfTestHandlers = (
  selfTest: Pick<SelfTest, 'state' | 'start' | 'cancel' | 'answer'>,
): Pick<Handlers, 'selfTest.state' | 'selfTest.start' | 'selfTest.cancel' | 'selfTest.answer'> => ({
  'selfTest.state': () => selfTest.state(),
  'selfTest.start': (request) => selfTest.start(request),
  'selfTest.cancel': () => selfTest.cancel(),
  'selfTest.answer': ({ runId, check, outcome: { values, ...outcome } }) => {
    selfTest.answer(runId, check, { ...outcome, ...(values && { values }) })
    return {}
  },
})

/** Handlers that read and change the user settings, and report a change to every page and to the updates. */
export const settingsHandlers = (
  { store, emit }: Pick<Context, 'store' | 'emit'>,
  updates: Pick<Updates, 'settingsChanged'>,
): Pick<Handlers, 'settings.get' | 'settings.update'> => ({
  'settings.get': () => store.settings.get(),
  'settings.update': (patch) => {
    const settings = store.settings.update(patch)
    emit({ type: 'settings.changed', settings })
    updates.settingsChanged()
    return settings
  },
})

/** Setting that stores the keys of each shortcut. */
const settingOf = { quick: 'quickShortcut', record: 'recordShortcut' } as const

/**
 * Handlers of system-wide shortcuts, if the host supports them. Keys are saved only after the system has accepted them.
 */
export const shortcutHandlers = (
  store: Pick<Store, 'settings' | 'writable'>,
  host: ShortcutHost | undefined,
): Pick<Handlers, 'shortcuts.state' | 'shortcuts.use'> => {
  const keysOf = (name: ShortcutName): string => store.settings.get()[settingOf[name]]
  const stateOf = async (name: ShortcutName): Promise<GlobalShortcut> => {
    const keys = keysOf(name)
    // Registering a shortcut that is already registered changes nothing.
    return { keys, state: host ? await host.use(name, keys) : 'absent' }
  }
  return {
    async 'shortcuts.state'() {
      const states = shortcutNames.map(async (name) => [name, await stateOf(name)] as const)
      return {
        shortcuts: Object.fromEntries(await Promise.all(states)) as Record<
          ShortcutName,
          GlobalShortcut
        >,
      }
    },
    async 'shortcuts.use'({ name, keys }) {
      if (!host)
        throw new AppError('NOT_IMPLEMENTED', 'This host does not support system shortcuts')
      const state = await host.use(name, keys)
      if (state === 'taken') return { keys: keysOf(name), state }
      if (store.writable) store.settings.update({ [settingOf[name]]: keys })
      return { keys, state }
    },
  }
}

/**
 * Handlers of settings that the operating system controls; without a host that supports them, everything is unknown or
 * absent.
 */
export const systemHandlers = (
  host: SystemHost | undefined,
): Pick<
  Handlers,
  | 'system.microphone'
  | 'system.askMicrophone'
  | 'system.openSettings'
  | 'system.showFolder'
  | 'system.login'
  | 'system.setLogin'
  | 'system.progress'
> => ({
  'system.microphone': async () =>
    (await host?.microphone()) ?? { access: 'unknown', settings: false },
  'system.askMicrophone': async () => ({ access: (await host?.askMicrophone()) ?? 'unknown' }),
  'system.openSettings': async ({ page }) => ({
    opened: (await host?.openSettings(page)) ?? false,
  }),
  'system.showFolder': async ({ folder }) => ({
    shown: (await host?.showFolder(folder)) ?? false,
  }),
  'system.login': async () => ({ state: (await host?.login()) ?? 'absent' }),
  'system.setLogin': async ({ on }) => ({ state: (await host?.setLogin(on)) ?? 'absent' }),
  'system.progress': async ({ progress }, { connection }) => {
    await host?.progress(progress, connection.id)
    return {}
  },
})

/**
 * Handlers of updates. Long work is started and not awaited: `updates.changed` events report its progress.
 */
export const updateHandlers = (
  updates: Updates,
): Pick<
  Handlers,
  | 'updates.state'
  | 'updates.check'
  | 'updates.download'
  | 'updates.cancel'
  | 'updates.install'
  | 'updates.rollBack'
> => {
  /** Rejections are thrown immediately; later failures become part of the state. */
  const begin = async (work: Promise<void>): Promise<ReturnType<Updates['state']>> => {
    await Promise.race([work, Promise.resolve()])
    work.catch(() => {})
    return updates.state()
  }
  return {
    'updates.state': () => updates.state(),
    'updates.check': () => begin(updates.check(true)),
    'updates.download': () => begin(updates.download()),
    'updates.cancel': () => {
      updates.cancel()
      return updates.state()
    },
    'updates.install': () => begin(updates.install()),
    'updates.rollBack': () => begin(updates.rollBack()),
  }
}
