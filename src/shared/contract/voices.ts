import { z } from 'zod'
import type { Media } from '../model/library.ts'
import type { SampleBrief, VoiceClone, VoiceSample } from '../model/sample.ts'
import type { Voice, VoiceList } from '../model/voice.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
/** ID of a voice at the provider. */
const voice = z.string().min(1).max(500)
const ms = z.number().int().min(0).max(1_000_000_000)
const language = z.enum(['en', 'zh'])

const fix = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('trim'), startMs: ms, endMs: ms }),
  z.strictObject({
    type: z.enum(['edges', 'pauses', 'noise', 'clipping', 'loudness', 'offset', 'all']),
  }),
])

/** Voice routes (service-notes 3). */
export const voices = {
  /**
   * Returns all voices of an account that were ever listed. `from: 'service'` requests the provider first, using its own
   * fuzzy search for `name`; if it is unreachable, the saved list is returned with the reason.
   */
  list: route<VoiceList>()(
    z.strictObject({
      /** Defaults to the active account. */
      accountId: id.optional(),
      from: z.enum(['service', 'kept']).default('service'),
      name: z.string().trim().max(200).optional(),
    }),
  ),
  /**
   * Gets and stores the audio of a voice: the preview that the provider lists, or `text` generated with it, which costs as
   * much as generating speech.
   */
  preview: route<Voice>()(
    z.strictObject({
      accountId: id.optional(),
      voice,
      text: z.string().trim().min(1).max(1024).optional(),
    }),
  ),
  /** Deletes a voice at the provider; its row, preview and sample stay here. */
  remove: route<Voice>()(z.strictObject({ accountId: id.optional(), voice })),
  /** Cloned voices, newest first. */
  samples: route<readonly SampleBrief[]>()(z.strictObject({})),
  sample: route<VoiceSample>()(z.strictObject({ id })),
  /**
   * Imports a sample: a stored file of any kind, a new recording, or a range of a meeting. It becomes an item of the
   * Library.
   */
  createSample: route<VoiceSample>()(
    z.strictObject({
      from: z.union([
        z.strictObject({ mediaId: id, recorded: z.boolean().default(false) }),
        z.strictObject({
          meetingId: id,
          channel: z.union([z.literal('mix'), z.number().int().min(0).max(15)]),
          startMs: ms,
          endMs: ms,
        }),
      ]),
      language,
      title: z.string().trim().min(1).max(300).optional(),
      /** Its known text, such as the transcript of the range; otherwise the sample is transcribed. */
      text: z.string().trim().max(2000).default(''),
    }),
  ),
  /** Applies a fix: creates a new version and checks it again. */
  fixSample: route<VoiceSample>()(z.strictObject({ id, fix })),
  /** Selects another version: undo and redo. */
  useVersion: route<VoiceSample>()(z.strictObject({ id, versionId: id })),
  /** Sets the text of the sample, its language, and the consent for cloning it. */
  describeSample: route<VoiceSample>()(
    z.strictObject({
      id,
      text: z.string().max(2000).optional(),
      language: language.optional(),
      consent: z
        .strictObject({
          who: z.string().trim().min(1).max(200),
          whose: z.enum(['mine', 'permission']),
          purpose: z.string().trim().min(1).max(500),
        })
        .optional(),
    }),
  ),
  /** Transcribes the sample (service-notes 4). */
  transcribeSample: route<VoiceSample>()(z.strictObject({ id })),
  /** Exports the sample with its text, consent and clones as one archive, which is removed a day later. */
  exportSample: route<{ readonly media: Media }>()(z.strictObject({ id })),
  /** Clones the voice (service-notes 3) from the current version, in the background and across restarts. */
  clone: route<VoiceClone>()(
    z.strictObject({
      id,
      voiceName: z.string().trim().min(1).max(64),
      input: z.string().trim().min(1).max(1000),
      accountId: id.optional(),
    }),
  ),
}
