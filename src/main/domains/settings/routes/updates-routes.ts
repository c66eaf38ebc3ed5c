import type { Updates } from '../../../updates/updates.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

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
