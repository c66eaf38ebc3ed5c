import { z } from 'zod'
import type { Media } from '../model/library.ts'
import type { SampleBrief, VoiceClone, VoiceSample } from '../model/sample.ts'
import type { Voice, VoiceList } from '../model/voice.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
/** Id of a voice at the service. */
const voice = z.string().min(1).max(500)
const ms = z.number().int().min(0).max(1_000_000_000)
const language = z.enum(['en', 'zh'])

const fix = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('trim'), startMs: ms, endMs: ms }),
  z.strictObject({
    type: z.enum(['edges', 'pauses', 'noise', 'clipping', 'loudness', 'offset', 'all']),
  }),
])

/** Routes of the voices (service-notes 3). */
export const voices = {
  /**
   * The voices of an account, all that were ever listed. `from: 'service'` asks it first, with `name` by its own fuzzy search;
   * the kept list is answered where it cannot be reached, with the reason.
   */
  list: route<VoiceList>()(
    z.strictObject({
      /** The active account when absent. */
      accountId: id.optional(),
      from: z.enum(['service', 'kept']).default('service'),
      name: z.string().trim().max(200).optional(),
    }),
  ),
  /** Gets the sound of a voice and keeps it: the preview that the service lists, or `text` spoken with it, which costs as speaking does. */
  preview: route<Voice>()(
    z.strictObject({
      accountId: id.optional(),
      voice,
      text: z.string().trim().min(1).max(1024).optional(),
    }),
  ),
  /** Deletes a voice at the service; its row, its preview and its sample stay here. */
  remove: route<Voice>()(z.strictObject({ accountId: id.optional(), voice })),
  /** Own voices, newest first. */
  samples: route<readonly SampleBrief[]>()(z.strictObject({})),
  sample: route<VoiceSample>()(z.strictObject({ id })),
  /** Takes a sample in: a kept file of any kind, what was recorded just now, or a stretch of a meeting. It becomes an item of the Library. */
  takeSample: route<VoiceSample>()(
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
    }),
  ),
  /** Puts something right: a further version, looked through again. */
  fixSample: route<VoiceSample>()(z.strictObject({ id, fix })),
  /** Another version stands: undo and redo. */
  useVersion: route<VoiceSample>()(z.strictObject({ id, versionId: id })),
  /** The words of the sample, its language, and the consent it is cloned with. */
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
  /** Hears the words of the sample (service-notes 4). */
  transcribeSample: route<VoiceSample>()(z.strictObject({ id })),
  /** The sample with its words, its consent and its clones, as one archive; swept a day later. */
  exportSample: route<{ readonly media: Media }>()(z.strictObject({ id })),
  /** Clones the voice (service-notes 3) of the version that stands; goes on by itself, over restarts. */
  clone: route<VoiceClone>()(
    z.strictObject({
      id,
      voiceName: z.string().trim().min(1).max(64),
      input: z.string().trim().min(1).max(1000),
      accountId: id.optional(),
    }),
  ),
}
