import {
  shortcutNames,
  type GlobalShortcut,
  type ShortcutName,
} from '../../../../shared/contract/shortcuts.ts'
import { AppError } from '../../../errors.ts'
import type { ShortcutHost } from '../../../host.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

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
