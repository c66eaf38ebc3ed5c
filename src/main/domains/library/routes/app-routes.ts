import type { AppInfo } from '../../../../shared/contract/app.ts'
import { AppError } from '../../../errors.ts'
import type { HostDeps } from '../../../host.ts'
import { checkExternalUrl } from '../../../platform/security/external-url.ts'
import type { Storage } from '../service/storage/storage.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

export interface AppHandlerDeps {
  info(): AppInfo
  readonly storage: Storage
  /** Opens a URL that passed the link check; returns whether it was opened. */
  openExternal(url: string): Promise<boolean>
  notify?: HostDeps['notify']
}

/** Handlers of the app itself: first-frame facts, storage, external links, erasing. */
export const appHandlers = (
  deps: AppHandlerDeps,
): Pick<
  Handlers,
  | 'app.info'
  | 'app.storage'
  | 'app.storageKinds'
  | 'app.cleanUp'
  | 'app.openExternal'
  | 'app.notify'
  | 'app.eraseAll'
> => ({
  'app.info': () => deps.info(),
  'app.storage': () => deps.storage.use(),
  'app.storageKinds': async () => ({ kinds: await deps.storage.kinds() }),
  'app.cleanUp': async ({ kind }) => {
    await deps.storage.cleanUp(kind)
    return { kinds: await deps.storage.kinds() }
  },
  'app.openExternal': async ({ url }) => {
    const verdict = checkExternalUrl(url)
    if (!verdict.ok) throw new AppError('REFUSED', 'This link is not allowed')
    return { opened: await deps.openExternal(verdict.url) }
  },
  'app.notify': async (notice) => ({ shown: (await deps.notify?.(notice)) ?? false }),
  'app.eraseAll': async () => {
    await deps.storage.eraseAll()
    return {}
  },
})
