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
import { maxText, segmentBounds } from '../voices/split.ts'
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
/** Checks at compile time that the bridge settings match the settings of the model. */
export const settingsFit: Fits = true

const text = z.string().max(maxText)

/** Narration routes: texts spoken with a voice, in segments, and joined (service-notes 3). */
export const speech = {
  create: route<{ readonly speech: Speech }>()(
    z.strictObject({ title: title.optional(), text, settings: settings.partial().optional() }),
  ),
  /** With `places`, also returns the positions of the segments in the joined audio. */
  get: route<{ readonly speech: Speech; readonly places: readonly JoinedSegment[] }>()(
    z.strictObject({ id, places: z.boolean().default(false) }),
  ),
  /** Returns the segments in order, `limit` from index `from`. */
  segments: route<{ readonly segments: readonly SpeechSegment[]; readonly more: boolean }>()(
    z.strictObject({
      id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(200),
    }),
  ),
  /** Replaces the text: unchanged segments keep their takes. */
  setText: route<{ readonly speech: Speech }>()(z.strictObject({ id, text })),
  /**
   * Changes settings; existing takes may become outdated. Another segment length applies from the next text on, unless
   * `split`.
   */
  configure: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, settings: settings.partial(), split: z.boolean().default(false) }),
  ),
  /** Changes the text of one segment; an empty one removes the segment. */
  editSegment: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, segmentId: id, text: z.string().max(segmentBounds.max) }),
  ),
  /** Generates what is missing, failed or outdated; if `pieceIds` are given, generates all of them again. */
  speak: route<{ readonly speech: Speech; readonly asked: number }>()(
    z.strictObject({ id, segmentIds: z.array(id).min(1).max(5000).optional() }),
  ),
  /** Stops pending requests; generated takes stay. */
  stop: route<{ readonly speech: Speech }>()(z.strictObject({ id })),
  /** Returns all takes of a segment, newest first. */
  takes: route<{ readonly takes: readonly SpeechTake[] }>()(z.strictObject({ id, segmentId: id })),
  choose: route<{ readonly speech: Speech }>()(z.strictObject({ id, takeId: id })),
  favour: route<{ readonly take: SpeechTake }>()(
    z.strictObject({ id, takeId: id, favourite: z.boolean() }),
  ),
  /** Verifies the selected take of a segment by transcribing it again. */
  check: route<{ readonly speech: Speech }>()(
    z.strictObject({ id, segmentIds: z.array(id).min(1).max(5000) }),
  ),
  /** Joins the selected takes. */
  join: route<{ readonly speech: Speech }>()(z.strictObject({ id })),
  /** Exports the joined audio as a file that is marked as synthetic speech. */
  export: route<{ readonly media: Media }>()(
    z.strictObject({ id, format: z.enum(['wav', 'mp3']), language: z.enum(['en', 'zh']) }),
  ),
  duplicate: route<{ readonly speech: Speech }>()(z.strictObject({ id, title })),
  /** Returns recently used voices, newest first. */
  recentVoices: route<{
    readonly voices: readonly (SpeechVoice & { readonly accountId: string })[]
  }>()(z.strictObject({})),
}
