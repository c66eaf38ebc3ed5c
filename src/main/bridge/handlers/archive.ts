import type { Archives } from '../../services/archive/archive.ts'
import type { Handlers } from '../router.ts'

/** The library, or a selection of it, as one file. */
export const archiveHandlers = (
  archives: Archives,
): Pick<Handlers, Extract<keyof Handlers, `archive.${string}`>> => ({
  'archive.state': () => archives.state(),
  'archive.export': (wish, { connection }) => archives.export(wish, connection.id),
  'archive.look': (_none, { connection }) => archives.look(connection.id),
  'archive.takeIn': () => archives.takeIn(),
  'archive.cancel': () => archives.cancel(),
  'archive.forget': () => archives.forget(),
})
