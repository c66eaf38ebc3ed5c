import type { Failure } from '../../shared/bridge/reply.ts'
import type { MeetingJsonHead, MeetingJsonPage } from '../../shared/bridge/meeting-json.ts'
import type { LineHit } from '../../shared/bridge/meetings.ts'
import type {
  Bookmark,
  ChannelRole,
  Flag,
  Gap,
  Line,
  Meeting,
  MeetingEdit,
  MeetingState,
  MeetingSummaryText,
  SegmentVersion,
  Segment,
  SegmentState,
  Span,
  SummaryTemplate,
} from '../../shared/model/meeting.ts'

/** A meeting as it begins; its item is made with it. */
export interface NewMeeting {
  readonly id: string
  readonly title: string
  readonly source: 'recording' | 'import'
  readonly state: MeetingState
  readonly channels: readonly ChannelRole[]
  readonly sampleRate: number
  /** Null for a recording. */
  readonly mediaId: string | null
  readonly hasAudio: boolean
  readonly accountId: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  /** Unix ms. */
  readonly at: number
}

/** Fields of a meeting that change while it lives. New `channels` get their speakers. */
export type MeetingPatch = Partial<{
  readonly state: MeetingState
  readonly channels: readonly ChannelRole[]
  readonly sampleRate: number
  readonly hasAudio: boolean
  readonly durationMs: number
  readonly recordedMs: number | null
  readonly importProgress: number | null
  readonly notes: string
  readonly accountId: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly error: Failure | null
}>

/** A segment that voice activity found. */
export type NewSegment = Span &
  Pick<Segment, 'id' | 'channel' | 'forcedStart' | 'forcedEnd' | 'voiced'>

/** Fields of a segment that change while it is heard. */
export type SegmentPatch = Partial<
  Pick<Segment, 'state' | 'attempts' | 'error' | 'nextTryAt' | 'flags'>
>

/** A segment with the meeting it belongs to. */
export interface SegmentRecord extends Segment {
  readonly meetingId: string
  /** A proposal is wanted: the segment has (or had) an answer, and another pass hears it anew. */
  readonly again: {
    readonly accountId: string
    readonly prompt: string
    readonly hotwords: readonly string[]
  } | null
}

/**
 * A meeting that is made of our json, in steps: each method is a transaction of a bounded number of rows and may be tried again when
 * it threw. First `clear` until it is done, then `put` for every page in order, then `finish` until it is done.
 */
export interface MeetingRestore {
  /** Takes away what an earlier try left, some at a time; true when nothing is. */
  clear(): boolean
  put(page: MeetingJsonPage): void
  /**
   * Makes more of it searchable, at last ends it; true when it did. `original` is the file its sound can be read from: with one the
   * meeting stays `importing` and waits for that, without it is `stopped`.
   */
  finish(original: string | null): boolean
}

/** A line before it has an id. */
export type NewLine = Omit<Line, 'id' | 'edited'>

/** What a change touched. */
export interface Changed {
  readonly lines: readonly Line[]
  readonly removed: readonly string[]
  /** Segments that changed with them, beside those of the lines. */
  readonly segmentIds?: readonly string[]
}

/**
 * Meetings, whole: every method is one transaction. Everything a method changes is searchable when it returns. Ids that do not
 * exist throw NOT_FOUND, edits that cannot be (a merge of lines of two channels, an offset behind the text) REFUSED.
 */
export interface MeetingStore {
  create(meeting: NewMeeting): void
  /**
   * Begins to make a meeting of our json, or begins anew: it is `importing`, and the json is its file until the last step. Throws
   * REFUSED for the id of a meeting that is not `importing`.
   */
  restoring(
    id: string,
    head: MeetingJsonHead,
    from: { readonly mediaId: string | null; readonly accountId: string },
  ): MeetingRestore
  get(id: string): Meeting | undefined
  update(id: string, patch: MeetingPatch): void
  /** Ids of meetings in these states, oldest first. */
  inState(states: readonly MeetingState[]): readonly string[]
  /** The newest meeting outside the bin that was imported from this file. */
  byMedia(mediaId: string): string | undefined

  /** Stopped or interrupted meetings with sound that voice activity has not looked through to the end, oldest first. One query. */
  unlooked(): readonly string[]
  /** How far (ms) voice activity has looked at each channel: what comes later is looked at anew after a restart. */
  analysed(id: string): readonly number[]
  /** Adds the segments found up to `analysedMs` of a channel. Segments that are already there (same channel, same start) are left alone. */
  addSegments(
    id: string,
    channel: number,
    segments: readonly NewSegment[],
    analysedMs: number,
  ): readonly Segment[]
  segment(segmentId: string): SegmentRecord | undefined
  /** In the order of time. */
  segments(id: string, from?: number, limit?: number): readonly Segment[]
  updateSegment(segmentId: string, patch: SegmentPatch): Segment
  /** Meetings (outside the bin) with segments that are not at their end, or wanted again. */
  withWork(): readonly string[]
  /** Segments of a meeting in these states, and those wanted again, in the order of time. */
  work(id: string, states: readonly SegmentState[]): readonly SegmentRecord[]
  /** The last texts in front of a segment on its channel, newest first: what may be given as context. */
  before(
    segmentId: string,
    limit: number,
  ): readonly { readonly segment: Segment; readonly text: string }[]

  /** Keeps an answer as the segment's current one, and puts `lines` in the place of the lines it had (edited lines stay and win). */
  saveTranscription(
    version: Omit<SegmentVersion, 'state'>,
    end: { readonly state: SegmentState; readonly flags: readonly Flag[] },
    lines: readonly NewLine[],
  ): Changed
  /** Wants segments heard again; what stands stays until a proposal is accepted. */
  wantAgain(segmentIds: readonly string[], want: NonNullable<SegmentRecord['again']>): void
  /** Keeps an answer of another pass: a proposal when its words differ from the current reading's, else `older` at once. */
  propose(version: Omit<SegmentVersion, 'state'>): SegmentVersion
  versions(id: string, segmentIds?: readonly string[]): readonly SegmentVersion[]
  version(versionId: string): SegmentVersion | undefined
  /** Puts a reading in the place of the current one, with its lines (edited lines are replaced too: the user saw the difference). Can be undone. */
  accept(versionId: string, lines: readonly NewLine[]): Changed
  decline(versionIds: readonly string[]): void

  lines(id: string, from?: number, limit?: number): readonly Line[]
  edit(id: string, edit: MeetingEdit): Changed
  undo(id: string): Changed
  redo(id: string): Changed
  find(id: string, query: string): readonly LineHit[]
  /** Pairs of words as heard and as the user corrected them, newest first. */
  corrections(
    id: string,
    limit: number,
  ): readonly { readonly heard: string; readonly corrected: string }[]

  addBookmark(id: string, bookmark: Bookmark): void
  renameBookmark(bookmarkId: string, label: string): void
  removeBookmark(bookmarkId: string): void
  addGap(id: string, gap: Gap): void
  setGaps(id: string, gaps: readonly Gap[]): void

  putSummary(id: string, summary: MeetingSummaryText): void
  removeSummary(summaryId: string): void
  /** Summaries that are said to run, with the ids of their meetings. */
  runningSummaries(): readonly {
    readonly meetingId: string
    readonly summary: MeetingSummaryText
  }[]
  templates(): readonly SummaryTemplate[]
  putTemplate(template: SummaryTemplate): void
  removeTemplate(templateId: string): void
}
