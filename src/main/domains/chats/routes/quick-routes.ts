import type { QuickHost } from '../../../host.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of the quick window, if the host has one. */
export const quickHandlers = (
  host: QuickHost | undefined,
): Pick<Handlers, 'quick.show' | 'quick.hide' | 'quick.leave'> => {
  const need = (): QuickHost => {
    if (!host) throw new AppError('NOT_IMPLEMENTED', 'This host does not have its own windows')
    return host
  }
  return {
    'quick.show': () => {
      need().show()
      return {}
    },
    'quick.hide': async () => {
      await need().hide()
      return {}
    },
    'quick.leave': ({ id }) => {
      need().leave(id)
      return {}
    },
  }
}
