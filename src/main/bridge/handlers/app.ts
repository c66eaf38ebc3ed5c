import type { AppInfo } from '../../../shared/bridge/app.ts'
import { AppError } from '../../errors.ts'
import { judgeExternalUrl } from '../../security/external-url.ts'
import type { Storage } from '../../services/storage/storage.ts'
import type { Handlers } from '../router.ts'

/** What the app handlers need. */
export interface AppHandlerDeps {
  info(): AppInfo
  readonly storage: Storage
  /** Given only addresses that passed the link gate; whether it was opened. */
  openExternal(url: string): Promise<boolean>
}

/** The app itself: first-frame facts, storage, links out, erasing. */
export const appHandlers = (
  deps: AppHandlerDeps,
): Pick<Handlers, 'app.info' | 'app.storage' | 'app.openExternal' | 'app.eraseAll'> => ({
  'app.info': () => deps.info(),
  'app.storage': () => deps.storage.use(),
  'app.openExternal': async ({ url }) => {
    const verdict = judgeExternalUrl(url)
    if (!verdict.ok) throw new AppError('REFUSED', 'This link is not opened')
    return { opened: await deps.openExternal(verdict.url) }
  },
  'app.eraseAll': async () => {
    await deps.storage.eraseAll()
    return {}
  },
})
