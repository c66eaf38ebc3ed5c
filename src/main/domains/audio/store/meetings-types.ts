import type { Failure } from '../../../../shared/contract/reply.ts'
import type { MeetingJsonHead, MeetingJsonPage } from '../../../../shared/contract/meeting-json.ts'
import type { LineHit } from '../../../../shared/contract/meetings.ts'
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
  TitleSuggestion,
} from '../../../../shared/model/meeting.ts'
import type { LiteralOptions } from '../../../../shared/text/literal.ts'
import type { Search } from '../../../work-queue/work-queue.ts'

/** A new meeting; its item is created with it. */
export interface NewMeeting {
  readonly id: string
  readonly title: string
  /** Whether another title may be suggested. */
  readonly titleIsAutomatic?: boolean
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

/** Fields of a meeting that can change. New `channels` get their speakers. */
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

/** A meeting that is being imported, and its file. */
interface Importing extends Pick<
  Meeting,
  'id' | 'title' | 'accountId' | 'channels' | 'durationMs' | 'importProgress' | 'error'
> {
  readonly mime: string | null
  readonly bytes: number
}

/** A segment found by voice activity detection. */
export type NewSegment = Span &
  Pick<Segment, 'id' | 'channel' | 'forcedStart' | 'forcedEnd' | 'voiced'>

/** Fields of a segment that change during transcription. */
export type SegmentPatch = Partial<
  Pick<Segment, 'state' | 'attempts' | 'error' | 'nextTryAt' | 'flags'>
>

/** A segment with the ID of its meeting. */
export interface SegmentRecord extends Segment {
  readonly meetingId: string
  /** Requested suggestion: the segment has (or had) a transcription, and another pass transcribes it again. */
  readonly again: {
    readonly accountId: string
    readonly prompt: string
    readonly hotwords: readonly string[]
  } | null
}

/**
 * A meeting that is created from Lectern's JSON in steps: each method is a transaction with a bounded number of rows and may
 * be retried after it threw. Call `clear` until it is done, then `put` for every page in order, then `finish` until it is
 * done.
 */
export interface MeetingRestore {
  /** Deletes some of the rows left by an earlier attempt; returns true when none is left. */
  clear(): boolean
  put(page: MeetingJsonPage): void
  /**
   * Makes more of it searchable and finally completes it; returns true then. `original` is the file its audio can be read
   * from: with one the meeting stays `importing` until then, without it is `stopped`.
   */
  finish(original: string | null): boolean
}

/** Neighbors of a segment on its channel, and simultaneous segments of other channels. */
export interface Around {
  readonly before: Segment | null
  readonly after: Segment | null
  /** Segments of other channels that overlap it, or nearly. */
  readonly across: readonly Segment[]
}

/** A line without an ID. */
export type NewLine = Omit<Line, 'id' | 'edited'>

/** Rows affected by a change. */
export interface Changed {
  readonly lines: readonly Line[]
  readonly removed: readonly string[]
  /** Segments that changed in addition to those of the lines. */
  readonly segmentIds?: readonly string[]
}

/** A segment that the queue executes. */
export interface QueuedSegment {
  readonly id: string
  readonly meetingId: string
  /** Account that transcribes it: that of the meeting, or the one that another pass was requested from. */
  readonly accountId: string
  /** 0: of a meeting that is being recorded, 1: of another one, 2: another pass over a transcribed segment. */
  readonly priority: 0 | 1 | 2
}

/** A segment without a transcription, as far as the order of requests depends on it. */
export interface OpenSegment extends Span {
  readonly id: string
  readonly channel: number
  /** Whether it begins at a cut in speech. */
  readonly forcedStart: boolean
  readonly state: SegmentState
  /** Whether it may be sent now. */
  readonly isDue: boolean
  /** Whether the segment before it on its channel has no transcription either. */
  readonly isAfterOpen: boolean
}

/** The queue of segments to transcribe, without meetings in Trash, stopped ones, and audio that is not written yet. */
export interface SegmentQueueRows {
  /** Accounts with segments to transcribe. */
  workAccounts(): readonly string[]
  /** Meetings with segments that this account transcribes. */
  workOf(accountId: string): readonly string[]
  /**
   * Up to `limit` meetings with due segments for an account, in the order of their creation; only those that are being
   * recorded, or only others.
   */
  dueMeetings(
    search: Search & { readonly isLive: boolean; readonly limit: number },
  ): readonly string[]
  /** Segments of a meeting that were not transcribed and whose audio is written, in chronological order. */
  openSegments(id: string, at: number): readonly OpenSegment[]
  /** The first due segment to transcribe again. */
  nextToRetranscribe(search: Search): QueuedSegment | undefined
  /** When the next segment is due that waits for a time (Unix ms). */
  nextTime(after: number): number | null
  /** Number of segments that wait for these accounts. */
  countOf(accountIds: readonly string[]): number
}

/**
 * Store of meetings. Every method is one transaction, and its changes are searchable when it returns. Unknown IDs throw
 * NOT_FOUND; invalid edits (a merge of lines of two channels, an offset beyond the text) throw REFUSED.
 */
export interface MeetingStore extends SegmentQueueRows {
  create(meeting: NewMeeting): void
  /**
   * Starts or restarts creating a meeting from Lectern's JSON: it is `importing`, and the JSON is its file until the last
   * step. Throws REFUSED for the ID of a meeting that is not `importing`.
   */
  restoring(
    id: string,
    head: MeetingJsonHead,
    from: { readonly mediaId: string | null; readonly accountId: string },
  ): MeetingRestore
  get(id: string): Meeting | undefined
  update(id: string, patch: MeetingPatch): void
  /** Returns the IDs of meetings in these states, oldest first. */
  inState(states: readonly MeetingState[]): readonly string[]
  /** Returns the meetings outside Trash that are being imported, oldest first. One query: a migration leaves thousands. */
  importing(): readonly Importing[]
  /** Returns the newest meeting outside Trash that was imported from this file. */
  byMedia(mediaId: string): string | undefined

  /**
   * Returns stopped or interrupted meetings with audio that voice activity detection has not fully analyzed, oldest first.
   * One query.
   */
  unlooked(): readonly string[]
  /**
   * Returns how far (ms) each channel was analyzed for voice activity: later audio is analyzed again after a restart.
   */
  analysed(id: string): readonly number[]
  /**
   * Adds the segments found up to `analysedMs` of a channel. Existing segments (same channel, same start) are left unchanged.
   */
  addSegments(
    id: string,
    channel: number,
    segments: readonly NewSegment[],
    analysedMs: number,
  ): readonly Segment[]
  segment(segmentId: string): SegmentRecord | undefined
  /** In chronological order. */
  segments(id: string, from?: number, limit?: number): readonly Segment[]
  updateSegment(segmentId: string, patch: SegmentPatch): Segment
  /** Returns meetings outside Trash with unfinished segments or ones to transcribe again. */
  withWork(): readonly string[]
  /**
   * Returns meetings outside Trash with failed segments, newest first, and the failure of the earliest; without those that
   * were dismissed, stopped by the user, or left unfinished by another library.
   */
  failures(): readonly { readonly id: string; readonly error: Failure | null }[]
  /** Removes the failed segments of a meeting from `failures`, until they fail again. */
  dismissFailures(id: string): void
  /** Returns segments of a meeting in these states and those to transcribe again, in chronological order. */
  work(id: string, states: readonly SegmentState[]): readonly SegmentRecord[]
  /** Returns the last texts before a segment on its channel, newest first, for use as context. */
  before(
    segmentId: string,
    limit: number,
  ): readonly { readonly segment: Segment; readonly text: string }[]
  around(segment: Segment): Around

  /**
   * Saves a transcription as the segment's current one and replaces its lines with `lines` (edited lines stay and take
   * precedence).
   */
  saveTranscription(
    version: Omit<SegmentVersion, 'state'>,
    end: { readonly state: SegmentState; readonly flags: readonly Flag[] },
    lines: readonly NewLine[],
  ): Changed
  /** Saves the text of an attempt so far, until `saveTranscription` discards it. One write, whatever its length. */
  savePartial(segmentId: string, text: string): void
  /** Requests another transcription of segments, or takes it back; the current one stays until a suggestion is accepted. */
  wantAgain(segmentIds: readonly string[], want: SegmentRecord['again']): void
  /**
   * Saves the result of another pass: a suggestion when its words differ from the current reading's, otherwise immediately
   * `older`.
   */
  propose(version: Omit<SegmentVersion, 'state'>): SegmentVersion
  versions(id: string, segmentIds?: readonly string[]): readonly SegmentVersion[]
  version(versionId: string): SegmentVersion | undefined
  /**
   * Replaces the current reading and its lines with this reading (including edited lines: the user has seen the difference).
   * Can be undone.
   */
  accept(versionId: string, lines: readonly NewLine[]): Changed
  decline(versionIds: readonly string[]): void

  lines(id: string, from?: number, limit?: number): readonly Line[]
  edit(id: string, edit: MeetingEdit): Changed
  undo(id: string): Changed
  redo(id: string): Changed
  /** Returns the matches of a search, or of a literal text, by line in chronological order. */
  find(id: string, query: string, literal?: LiteralOptions): readonly LineHit[]
  /** Returns the number of matches of a literal text that begin in one line and end in the next. */
  matchesAcross(id: string, query: string, literal: LiteralOptions): number
  /** Returns pairs of transcribed words and the user's corrections, newest first. */
  corrections(
    id: string,
    limit: number,
  ): readonly { readonly heard: string; readonly corrected: string }[]

  /** Returns transcribed meetings outside Trash for whose automatic title suggestions are wanted, oldest first. */
  untitled(): readonly { readonly id: string; readonly accountId: string }[]
  /** Saves titles to offer for the automatic one; null: none are wanted any more. Does nothing for a deleted meeting. */
  suggestTitles(id: string, suggestion: TitleSuggestion | null): void
  /** Hides the suggested titles, or shows them again. */
  dismissTitles(id: string, dismissed: boolean): void

  addBookmark(id: string, bookmark: Bookmark): void
  renameBookmark(bookmarkId: string, label: string): void
  removeBookmark(bookmarkId: string): void
  addGap(id: string, gap: Gap): void
  setGaps(id: string, gaps: readonly Gap[]): void

  putSummary(id: string, summary: MeetingSummaryText): void
  removeSummary(summaryId: string): void
  /** Returns the summaries marked as running, with the IDs of their meetings. */
  runningSummaries(): readonly {
    readonly meetingId: string
    readonly summary: MeetingSummaryText
  }[]
  templates(): readonly SummaryTemplate[]
  putTemplate(template: SummaryTemplate): void
  removeTemplate(templateId: string): void
}
