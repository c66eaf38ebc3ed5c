import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import type { TranscriptionResult } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { AppError } from '../../../../errors.ts'

/**
 * Sends one request of service-notes 4. Throws client errors, with one exception: the local service without its speech
 * engine returns 1221 (API offline, service-notes 14), which becomes ENGINE_UNAVAILABLE.
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
    throw new AppError('ENGINE_UNAVAILABLE', 'The on-device speech engine is missing')
  }
}
