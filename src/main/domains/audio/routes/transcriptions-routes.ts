import type { Transcriptions } from '../service/transcribe/transcribe.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/**
 * Handlers that transcribe recordings (service-notes 4). The calling page is attached to the stream that it named.
 */
export const transcriptionHandlers = (
  transcriptions: Transcriptions,
): Pick<
  Handlers,
  'transcriptions.start' | 'transcriptions.again' | 'transcriptions.retry' | 'transcriptions.stop'
> => ({
  'transcriptions.start': ({ streamId, ...request }, { connection }) =>
    transcriptions.start(request, { connectionId: connection.id, streamId }),
  'transcriptions.again': ({ itemId, streamId, options }, { connection }) =>
    transcriptions.again(itemId, options, { connectionId: connection.id, streamId }),
  'transcriptions.retry': ({ jobId, streamId }, { connection }) =>
    transcriptions.retry(jobId, { connectionId: connection.id, streamId }),
  'transcriptions.stop': ({ jobId }) => transcriptions.stop(jobId),
})
