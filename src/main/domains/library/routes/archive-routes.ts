import type { Reply } from '../../../../shared/contract/reply.ts'
import { intakeNameHeader, type ArchiveReply } from '../../../../shared/contract/transport.ts'
import type { Context } from '../../../context.ts'
import { toFailure } from '../../../errors.ts'
import { decodeName } from '../../../platform/bridge/intake.ts'
import { redactFailure, type Handlers } from '../../../platform/bridge/router.ts'
import { fromFileSystem } from '../../../platform/database/file-errors.ts'
import type { Archives } from '../service/archive/archive.ts'

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

/** Handles `PUT /archive`: streams the body to disk and replies with an {@link ArchiveReply} envelope. */
export function archiveUploadHandler(
  archives: Pick<Archives, 'receive'>,
  { clock, log, redact }: Pick<Context, 'clock' | 'log' | 'redact'>,
) {
  const take = async (request: Request): Promise<Reply<ArchiveReply>> => {
    try {
      const name = decodeName(request.headers.get(intakeNameHeader) ?? '')
      return { ok: true, data: { bytes: await archives.receive(request, name) } }
    } catch (error) {
      const failure = toFailure(fromFileSystem(error), clock())
      if (failure.code === 'INTERNAL') log.error('archive import failed', { error })
      return { ok: false, error: redactFailure(failure, redact) }
    }
  }
  return async (request: Request): Promise<Response> =>
    Response.json(await take(request), {
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
}
