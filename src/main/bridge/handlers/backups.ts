import type { Backups } from '../../services/archive/backups.ts'
import type { Handlers } from '../router.ts'

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
