import type { Settings } from '../../../../shared/model/settings.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

export interface SettingsHandlerDeps {
  readonly store: Store
  /** Called with the changed settings. */
  onChange(patch: Partial<Settings>): void
}

/** Handlers that read and change the user settings. */
export const settingsHandlers = ({
  store,
  onChange,
}: SettingsHandlerDeps): Pick<Handlers, 'settings.get' | 'settings.update'> => ({
  'settings.get': () => store.settings.get(),
  'settings.update': (patch) => {
    const given = Object.fromEntries(
      Object.entries(patch).filter(([, value]) => value !== undefined),
    ) as Partial<Settings>
    const settings = store.settings.update(given)
    onChange(given)
    return settings
  },
})
