import type { Archives } from '../service/archive/archive.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of archives: the library, or a selection of it, as one file. */
export const archiveHandlers = (
  archives: Archives,
): Pick<Handlers, Extract<keyof Handlers, `archive.${string}`>> => ({
  'archive.state': () => archives.state(),
  'archive.export': (request, { connection }) => archives.export(request, connection.id),
  'archive.inspect': (_none, { connection }) => archives.inspect(connection.id),
  'archive.import': () => archives.import(),
  'archive.cancel': () => archives.cancel(),
  'archive.forget': () => archives.forget(),
})
