import { z } from 'zod'
import type { Media } from '../model/library.ts'
import type {
  JoinedSegment,
  Speech,
  SpeechSegment,
  SpeechSettings,
  SpeechTake,
  SpeechVoice,
} from '../model/speech.ts'
import { maxText, segmentBounds } from '../speech/split.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)
const title = z.string().trim().min(1).max(300)
const voice = z.strictObject({ id: z.string().min(1).max(300), name: z.string().max(300) })

const settings = z.strictObject({
  accountId: id.nullable(),
  voice: voice.nullable(),
  speed: z.number().min(0.1).max(10),
  volume: z.number().gt(0).max(100),
  watermark: z.boolean(),
  pieceLength: z.number().int().min(segmentBounds.min).max(segmentBounds.max),
  check: z.boolean(),
  paidRetries: z.number().int().min(0).max(5),
  pauseMs: z.number().int().min(0).max(5000),
  paragraphMs: z.number().int().min(0).max(10_000),
  crossfadeMs: z.number().int().min(0).max(200),
  matchLoudness: z.boolean(),
})
type Fits = z.output<typeof settings> extends SpeechSettings ? true : never
/** Settings as they cross the bridge are those of the model. */
export const settingsFit: Fits = true

const text = z.string().max(maxText)

/** Routes of speeches: texts spoken with a voice, in pieces, and joined (service-notes 3). */
export const speech = {
  create: route<{ readonly speech: Speech }>()(
    z.strictObject({ title: title.optional(), text, settings: settings.partial().optional() }),
  ),
  /** With `places`, where the pieces lie in the joined sound as well. */
  get: route<{ readonly speech: Speech; readonly places: readonly JoinedSegment[] }>()(
    z.strictObject({ id, places: z.boolean().default(false) }),
  ),
  /** The pieces in order, `limit` from the place `from` on. */
  segments: route<{ readonly segments: readonly SpeechSegment[]; readonly more: boolean }>()(
    z.strictObject({
      id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(200),
    }),
  ),
  /** Another text: pieces that stand in it as before keep their takes. */
  setText: route<{ readonly speech: Speech }>()(z.strictObject({ id, text })),
  /** Changes settings; what was spoken otherwise is stale then. Another length of pieces holds from the next text on, unless `split`. */
  configure: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, settings: settings.partial(), split: z.boolean().default(false) }),
  ),
  /** Another text of one piece; an empty one takes the piece away. */
  editSegment: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, segmentId: id, text: z.string().max(segmentBounds.max) }),
  ),
  /** Speaks what is not spoken, failed or stale; all of `pieceIds` anew where they are named. */
  speak: route<{ readonly speech: Speech; readonly asked: number }>()(
    z.strictObject({ id, segmentIds: z.array(id).min(1).max(5000).optional() }),
  ),
  /** Stops what is asked for; what was spoken stays. */
  stop: route<{ readonly speech: Speech }>()(z.strictObject({ id })),
  /** All takes of a piece, newest first. */
  takes: route<{ readonly takes: readonly SpeechTake[] }>()(z.strictObject({ id, segmentId: id })),
  choose: route<{ readonly speech: Speech }>()(z.strictObject({ id, takeId: id })),
  favour: route<{ readonly take: SpeechTake }>()(
    z.strictObject({ id, takeId: id, favourite: z.boolean() }),
  ),
  /** Hears the chosen take of a piece again and compares. */
  check: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, segmentIds: z.array(id).min(1).max(5000) }),
  ),
  /** Puts the chosen takes together. */
  join: route<{ readonly speech: Speech }>()(z.strictObject({ id })),
  /** The joined sound as a file that says what it is. */
  export: route<{ readonly media: Media }>()(
    z.strictObject({ id, format: z.enum(['wav', 'mp3']), language: z.enum(['en', 'zh']) }),
  ),
  duplicate: route<{ readonly speech: Speech }>()(z.strictObject({ id, title })),
  /** Voices that were spoken with, newest first. */
  recentVoices: route<{
    readonly voices: readonly (SpeechVoice & { readonly accountId: string })[]
  }>()(z.strictObject({})),
}
