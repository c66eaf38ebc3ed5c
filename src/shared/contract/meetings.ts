import { z } from 'zod'
import type { Line, Meeting, SegmentVersion, Segment, SummaryTemplate } from '../model/meeting.ts'
import type { Media } from '../model/library.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(10_000)
const ms = z.number().int().min(0).max(1_000_000_000)
const word = z.string().trim().min(1).max(100)

/** Words and names that help recognition; at most 100 are sent (service-notes 4). */
const transcriptionOptions = {
  accountId: id.optional(),
  prompt: z.string().max(8000).optional(),
  hotwords: z.array(word).max(1000).optional(),
}

const captureEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['paused', 'resumed']), atMs: ms }),
  z.strictObject({
    type: z.literal('device'),
    atMs: ms,
    channel: z.number().int().min(0).max(1),
    label: z.string().max(300),
  }),
  z.strictObject({
    type: z.enum(['silent', 'zeros', 'sound']),
    atMs: ms,
    channel: z.number().int().min(0).max(1),
  }),
  z.strictObject({
    type: z.literal('gap'),
    atMs: ms,
    endMs: ms,
    channel: z.number().int().min(0).max(1).nullable(),
    reason: z.enum(['device', 'suspended', 'overload', 'lost', 'muted']),
  }),
])

/** Text compared as it was typed, without the rules of the search. */
const literal = { matchCase: z.boolean(), wholeWords: z.boolean() }

const edit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), lineId: id, text: z.string().max(100_000) }),
  z.strictObject({
    type: z.literal('split'),
    lineId: id,
    offset: z.number().int().min(1).max(100_000),
    atMs: ms,
  }),
  z.strictObject({ type: z.literal('merge'), lineIds: z.array(id).min(2).max(1000) }),
  z.strictObject({ type: z.literal('remove'), lineIds: ids }),
  z.strictObject({ type: z.literal('assign'), lineIds: ids, speakerId: id }),
  z.strictObject({
    type: z.literal('renameSpeaker'),
    speakerId: id,
    name: z.string().trim().max(100),
  }),
  z.strictObject({ type: z.literal('addSpeaker'), name: word, lineIds: z.array(id).max(10_000) }),
  z.strictObject({ type: z.literal('mergeSpeakers'), speakerId: id, intoId: id }),
  /** Replaces all matches in the meeting. */
  z.strictObject({
    type: z.literal('replace'),
    query: z.string().min(1).max(200),
    replacement: z.string().max(1000),
    ...literal,
  }),
])

/**
 * Ranges to transcribe again: a time range, flagged ones, failed ones, or those where one of these words probably
 * occurs.
 */
const which = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('range'),
    startMs: ms,
    endMs: ms,
    channel: z.number().int().min(0).max(1).optional(),
  }),
  z.strictObject({ type: z.literal('segments'), ids }),
  z.strictObject({ type: z.literal('flagged') }),
  z.strictObject({ type: z.literal('all') }),
  z.strictObject({ type: z.literal('words'), words: z.array(word).min(1).max(100) }),
])

const template = z.strictObject({
  /** Absent: a new one. */
  id: id.optional(),
  name: word,
  sections: z
    .array(z.strictObject({ title: word, instruction: z.string().trim().min(1).max(2000) }))
    .min(1)
    .max(12),
})

/** Format of lines in an exported file; remembered by the page. */
const textOptions = z.strictObject({
  speakers: z.boolean().default(true),
  timestamps: z.boolean().default(true),
  gaps: z.boolean().default(true),
  /** Only these, if given. */
  speakerIds: z.array(id).max(1000).optional(),
  /** Byte order mark at the start of SRT files, for players that need it. */
  bom: z.boolean().default(false),
  range: z.strictObject({ startMs: ms, endMs: ms }).optional(),
})

/** Reply of a transcript edit: everything it changed. */
export interface EditReply {
  readonly meeting: Meeting
  readonly lines: readonly Line[]
  readonly removed: readonly string[]
}

/** Position of a match in the meeting. Offsets are UTF-16 units. */
export interface LineHit {
  readonly lineId: string
  readonly startMs: number
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/** Meeting routes: recording, importing, transcribing, reading, editing, summarizing, exporting. */
export const meetings = {
  /** Creates the session before the first sample; the audio is then sent by `PUT /capture/<id>`. */
  begin: route<{ readonly meeting: Meeting }>()(
    z.strictObject({
      title: z.string().trim().max(300).optional(),
      /** Whether the title is the page’s, not the user’s; another one may then be suggested. */
      titleIsAutomatic: z.boolean().optional(),
      roles: z
        .array(z.enum(['mic', 'others']))
        .min(1)
        .max(2),
      sampleRate: z.number().int().min(8000).max(192_000),
      /** Device names by channel. */
      labels: z.array(z.string().max(300)).max(2),
      ...transcriptionOptions,
    }),
  ),
  capture: route<Record<string, never>>()(z.strictObject({ id, event: captureEvent })),
  /**
   * Continues a recording that was interrupted by the end of the app's process while its page is still recording.
   * Repeating it has no effect. Throws REFUSED for a finished recording, NOT_FOUND for a deleted one.
   */
  reopen: route<Record<string, never>>()(z.strictObject({ id })),
  /** Ends a recording; `recordedMs` is the count of the capture itself. */
  stop: route<{ readonly meeting: Meeting }>()(z.strictObject({ id, recordedMs: ms.nullable() })),
  /**
   * Creates a meeting from a stored file (any audio, or a transcript in Lectern's JSON), or returns the existing one.
   */
  import: route<{ readonly meeting: Meeting; readonly known: boolean }>()(
    z.strictObject({
      mediaId: id,
      title: z.string().trim().max(300).optional(),
      /** One voice per channel, a single mix, or determined from the audio. */
      channels: z.enum(['auto', 'split', 'mix']).default('auto'),
      ...transcriptionOptions,
    }),
  ),
  get: route<{ readonly meeting: Meeting }>()(z.strictObject({ id })),
  /**
   * Returns lines and segments in time order, `limit` of each; `next` is the start to continue from, null at the end.
   */
  lines: route<{
    readonly lines: readonly Line[]
    readonly segments: readonly Segment[]
    readonly next: number | null
  }>()(
    z.strictObject({
      id,
      from: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(2000).default(1000),
    }),
  ),
  update: route<{ readonly meeting: Meeting }>()(
    z.strictObject({
      id,
      notes: z.string().max(1_000_000).optional(),
      /** Hides suggested titles, or shows them again. */
      titlesDismissed: z.boolean().optional(),
      ...transcriptionOptions,
    }),
  ),
  /** Retries failed and waiting segments now; with another account if one is given. */
  fill: route<{ readonly meeting: Meeting }>()(z.strictObject({ id, accountId: id.optional() })),
  /** Stops the transcription of waiting and running segments; `fill` resumes it. */
  stopTranscription: route<{ readonly meeting: Meeting }>()(z.strictObject({ id })),
  /** Transcribes ranges again; the results are suggestions until the user decides. */
  again: route<{ readonly segments: number }>()(
    z.strictObject({ id, which, ...transcriptionOptions }),
  ),
  /**
   * Returns every version of these segments, newest first; all suggestions of the meeting if no segments are given.
   */
  versions: route<{ readonly versions: readonly SegmentVersion[] }>()(
    z.strictObject({ id, segmentIds: z.array(id).max(1000).optional() }),
  ),
  /** Accepts suggestions (or older versions) into the transcript, or rejects them. */
  decide: route<EditReply>()(z.strictObject({ id, versionIds: ids, accept: z.boolean() })),
  edit: route<EditReply>()(z.strictObject({ id, edit })),
  undo: route<EditReply>()(z.strictObject({ id })),
  redo: route<EditReply>()(z.strictObject({ id })),
  /** `acrossLines`: number of literal matches that begin in one line and end in the next: they are neither found nor replaced. */
  find: route<{ readonly hits: readonly LineHit[]; readonly acrossLines: number }>()(
    z.strictObject({
      id,
      query: z.string().trim().min(1).max(200),
      /** Finds what the edit `replace` replaces, instead of searching for words. */
      literal: z.strictObject(literal).optional(),
    }),
  ),
  /** Adds (no `bookmarkId`), renames, or removes (`label` null) a bookmark. */
  bookmark: route<{ readonly meeting: Meeting }>()(
    z.strictObject({
      id,
      bookmarkId: id.optional(),
      atMs: ms.optional(),
      label: z.string().trim().max(300).nullable(),
    }),
  ),
  /** Returns vocabulary terms suggested by the user's corrections, best first. */
  learn: route<{ readonly words: readonly string[] }>()(z.strictObject({ id })),
  templates: route<{ readonly templates: readonly SummaryTemplate[] }>()(z.strictObject({})),
  saveTemplate: route<{ readonly templates: readonly SummaryTemplate[] }>()(
    z.strictObject({ template }),
  ),
  removeTemplate: route<{ readonly templates: readonly SummaryTemplate[] }>()(
    z.strictObject({ id }),
  ),
  /** Starts a summary; its progress is reported by the meeting's events. */
  summarise: route<{ readonly meeting: Meeting }>()(
    z.strictObject({
      id,
      templateId: id,
      accountId: id.optional(),
      /** Assistant or agent by its ID at the provider; defaults to a plain assistant. */
      assistantId: z.string().max(200).optional(),
      streamId: z.string().regex(callerIdPattern),
    }),
  ),
  removeSummary: route<{ readonly meeting: Meeting }>()(z.strictObject({ id, summaryId: id })),
  /** Writes a file and stores it for a day; the page saves it from its URL. */
  export: route<{ readonly media: Media }>()(
    z.strictObject({
      id,
      /** `pdf` is the printed page of `html`. */
      format: z.enum(['txt', 'md', 'html', 'pdf', 'srt', 'vtt', 'json', 'docx']),
      options: textOptions,
      /** Writes only this summary; not for captions and JSON. */
      summaryId: id.optional(),
      language: z.enum(['en', 'zh']),
    }),
  ),
  exportAudio: route<{ readonly media: Media }>()(
    z.strictObject({
      id,
      format: z.enum(['wav', 'mp3']),
      /** Channel number, both channels unchanged, or both mixed. */
      channel: z.union([z.number().int().min(0).max(1), z.enum(['both', 'mix'])]),
      range: z.strictObject({ startMs: ms, endMs: ms }).optional(),
      /** ID for cancellation (`streams.cancel`): hours of audio take minutes. */
      callId: z.string().regex(callerIdPattern).optional(),
    }),
  ),
}
