import { intakeNameHeader, type ArchiveReply } from '../../shared/bridge/transport.ts'
import type { Reply } from '../../shared/bridge/reply.ts'
import type { Clock, Log } from '../deps.ts'
import { toFailure } from '../errors.ts'
import type { Archives } from '../services/archive/archive.ts'
import { fromFileSystem } from '../store/file-errors.ts'
import { decodeName } from './intake.ts'
import { redactFailure } from './router.ts'

export interface ArchiveIntakeDeps {
  readonly archives: Pick<Archives, 'receive'>
  readonly clock: Clock
  readonly log: Log
  redact(text: string): string
}

/** Handles `PUT /archive`: streams the body to disk and replies with an {@link ArchiveReply} envelope. */
export function createArchiveIntake({ archives, clock, log, redact }: ArchiveIntakeDeps) {
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
