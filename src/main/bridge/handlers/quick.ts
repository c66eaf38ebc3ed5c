import type { QuickHost } from '../../host.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { Handlers } from '../router.ts'

/** The quick window, where the host has one; the shortcut is kept once the system gave it. */
export const quickHandlers = (
  store: Pick<Store, 'settings' | 'writable'>,
  host: QuickHost | undefined,
): Pick<Handlers, 'quick.state' | 'quick.use' | 'quick.show' | 'quick.leave'> => {
  const need = (): QuickHost => {
    if (!host) throw new AppError('NOT_IMPLEMENTED', 'This host has no windows of its own')
    return host
  }
  return {
    'quick.state': () => {
      const { quickShortcut: shortcut } = store.settings.get()
      // What is held already is taken again without a change.
      return { shortcut, state: host ? host.use(shortcut) : 'absent' }
    },
    'quick.use': ({ shortcut }) => {
      const state = need().use(shortcut)
      if (state === 'taken') return { shortcut: store.settings.get().quickShortcut, state }
      if (store.writable) store.settings.update({ quickShortcut: shortcut })
      return { shortcut, state }
    },
    'quick.show': () => {
      need().show()
      return {}
    },
    'quick.leave': ({ id }) => {
      need().leave(id)
      return {}
    },
  }
}
