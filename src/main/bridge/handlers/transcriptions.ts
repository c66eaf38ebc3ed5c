import type { Transcriptions } from '../../services/transcribe/transcribe.ts'
import type { Handlers } from '../router.ts'

/** Recordings become text (service-notes 4). The caller's page is attached to the stream it named. */
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
