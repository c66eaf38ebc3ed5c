import { localAccountId } from '../../../shared/service/profiles.ts'
import type { Api, TranscriptionResult } from '../../api/types.ts'
import { AppError } from '../../errors.ts'

/**
 * One call of service-notes 4. Throws what the client throws, with one exception: this computer without its speech engine answers
 * 1221 (API offline, service-notes 14), which is ENGINE_UNAVAILABLE.
 */
export async function transcribeOnce(
  api: Pick<Api, 'transcriptions'>,
  ...[target, request, options]: Parameters<Api['transcriptions']['create']>
): Promise<TranscriptionResult> {
  try {
    return await api.transcriptions.create(target, request, options)
  } catch (error) {
    const missing =
      target.accountId === localAccountId &&
      error instanceof AppError &&
      error.service?.code === '1221'
    if (!missing) throw error
    throw new AppError('ENGINE_UNAVAILABLE', 'The speech engine of this computer is missing')
  }
}
