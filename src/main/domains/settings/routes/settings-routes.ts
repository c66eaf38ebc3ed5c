import type { Settings } from '../../../../shared/contract/settings.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers that read and change the user settings; `onChange` is called with the changed settings. */
export const settingsHandlers = ({
  store,
  onChange,
}: {
  readonly store: Pick<Store, 'settings'>
  onChange(settings: Settings): void
}): Pick<Handlers, 'settings.get' | 'settings.update'> => ({
  'settings.get': () => store.settings.get(),
  'settings.update': (patch) => {
    const settings = store.settings.update(patch)
    onChange(settings)
    return settings
  },
})
