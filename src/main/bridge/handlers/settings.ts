import type { Settings } from '../../../shared/model/settings.ts'
import type { Store } from '../../store/types.ts'
import type { Handlers } from '../router.ts'

/** What the settings handlers need. */
export interface SettingsHandlerDeps {
  readonly store: Store
  /** Told what was changed. */
  onChange(patch: Partial<Settings>): void
}

/** Reads and changes the user's choices. */
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
