import type { Backups } from '../service/archive/backups.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of database backups. */
export const backupHandlers = (
  backups: Backups,
): Pick<Handlers, Extract<keyof Handlers, `backups.${string}`>> => ({
  'backups.list': () => backups.list(),
  'backups.make': () => backups.make(),
  'backups.inspect': ({ id }) => backups.inspect(id),
  'backups.restore': ({ id }) => backups.restore(id),
  'backups.remove': ({ id }) => backups.remove(id),
})
