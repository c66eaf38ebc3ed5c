import type { Reply } from '../../../shared/contract/reply.ts'
import { intakeNameHeader, type IntakeReply } from '../../../shared/contract/transport.ts'
import type { Clock, Log } from '../../deps.ts'
import { toFailure } from '../../errors.ts'
import type { MediaFiles } from '../files/files.ts'
import { redactFailure } from './router.ts'

export interface IntakeDeps {
  readonly files: MediaFiles
  readonly clock: Clock
  readonly log: Log
  redact(text: string): string
}

/**
 * Handles `PUT /intake`, the only entry for files: streams the body to disk and replies with an {@link IntakeReply}
 * envelope.
 */
export function createIntake({ files, clock, log, redact }: IntakeDeps) {
  const take = async (request: Request): Promise<Reply<IntakeReply>> => {
    try {
      const name = decodeName(request.headers.get(intakeNameHeader) ?? '')
      const length = Number(request.headers.get('content-length') ?? Number.NaN)
      const declared = Number.isSafeInteger(length) && length >= 0 ? length : undefined
      const media = await files.intake(request.body, name, declared, request.signal, 'imported')
      return { ok: true, data: { media } }
    } catch (error) {
      const failure = toFailure(error, clock())
      if (failure.code === 'INTERNAL') log.error('import failed', { error })
      return { ok: false, error: redactFailure(failure, redact) }
    }
  }
  return async (request: Request): Promise<Response> =>
    Response.json(await take(request), {
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
}

/**
 * Decodes the original name of a file from its percent-encoded header; a malformed header loses the name, not the file.
 */
export function decodeName(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return ''
  }
}
