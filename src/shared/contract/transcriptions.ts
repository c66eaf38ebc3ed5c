import { z } from 'zod'
import type { Job } from '../model/job.ts'
import type { RecordingItem } from '../model/library.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)

/**
 * Options of service-notes 4. Main checks lengths against the profile's limits, so that the message can name them.
 */
export const transcriptionOptions = z.strictObject({
  stream: z.boolean().default(true),
  prompt: z.string().max(100_000).default(''),
  hotwords: z.array(z.string().trim().min(1).max(200)).max(1000).default([]),
})

/** Transcription options as stored in the job. */
export type TranscriptionOptions = z.infer<typeof transcriptionOptions>

/** Routes of transcription (service-notes 4): start, transcribe again, retry, stop. */
export const transcriptions = {
  /**
   * Creates a recording from an imported file (or finds the one with the same content) and queues its transcription.
   */
  start: route<{ readonly item: RecordingItem; readonly job: Job; readonly known: boolean }>()(
    z.strictObject({
      mediaId: id,
      title: z.string().max(300).optional(),
      streamId: z.string().regex(callerIdPattern),
      options: transcriptionOptions.optional(),
    }),
  ),
  /** Transcribes a recording again, as a new version next to the older ones. */
  again: route<{ readonly job: Job }>()(
    z.strictObject({
      itemId: id,
      streamId: z.string().regex(callerIdPattern),
      options: transcriptionOptions.optional(),
    }),
  ),
  retry: route<{ readonly job: Job }>()(
    z.strictObject({ jobId: id, streamId: z.string().regex(callerIdPattern) }),
  ),
  stop: route<{ readonly job: Job }>()(z.strictObject({ jobId: id })),
}
