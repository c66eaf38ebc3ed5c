import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  JoinedSegment,
  JoinedSpeech,
  SegmentState,
  Speech,
  SpeechSegment,
  SpeechSettings,
  SpeechTake,
  SpeechVoice,
  TakeCheck,
} from '../../../../shared/model/speech.ts'
import type { TakeAudio } from '../worker/speech-output/inspect-audio.ts'

/** Saved narration: without the state of the running process. */
export type SpeechRecord = Omit<Speech, 'joining' | 'joinError' | 'joined'> & {
  readonly joined: (Omit<JoinedSpeech, 'current'> & JoinedOf) | null
  /** Changes whenever a selected take or the joining changes. */
  readonly revision: number
}

/** Sources of joined audio. */
interface JoinedOf {
  /** {@link SpeechRecord.revision} at that time; audio of earlier app versions has none. */
  readonly revision?: number
  readonly print: string
}

/** Segment with fields only for the main process. */
export interface SegmentRecord extends SpeechSegment {
  readonly seq: number
  readonly speechId: string
  /** Account of the request; null while nothing is requested. */
  readonly accountId: string | null
  /** The chosen take stays selected, whatever the settings are. */
  readonly pinned: boolean
  /** Earlier takes are not reused. */
  readonly fresh: boolean
  /** Number of the first take that belongs to the current request. */
  readonly round: number
  /** Number of automatic regenerations. */
  readonly again: number
  /** Number of attempts for this request. */
  readonly attempts: number
}

/** Fields of a segment that change while it is synthesized. */
export interface SegmentPatch {
  readonly state?: SegmentState
  readonly accountId?: string | null
  readonly pinned?: boolean
  readonly fresh?: boolean
  readonly round?: number
  readonly again?: number
  readonly attempts?: number
  readonly nextTryAt?: number | null
  readonly error?: Failure | null
}

/** Take with fields only for the main process. */
export interface TakeRecord extends SpeechTake {
  readonly seq: number
  readonly speechId: string
  /** Identifies the same text, voice, settings and account. */
  readonly fingerprint: string
  readonly sound: TakeAudio
}

/** Take when it begins. */
export type NewTake = Omit<TakeRecord, 'seq' | 'favourite' | 'durationMs'>

/** Segment of a new text: an unchanged one references its row. */
export interface PlacedSegment {
  readonly id: string
  readonly place: number
  readonly text: string
  readonly paragraph: boolean
  /** State of a new row. */
  readonly state: SegmentState
}

/** Row that a new text may reuse. */
export interface PlacedRow {
  readonly seq: number
  readonly id: string
  /** Below 0: no longer in the text. */
  readonly place: number
  readonly text: string
  readonly paragraph: boolean
}

/** Places from `from` (inclusive) to `upTo` (exclusive). */
export interface PlaceRange {
  readonly from: number
  readonly upTo: number
}

/** Current speech settings that affect a take; without a voice, takes stay as they are. */
export interface SpeakingStyle {
  readonly voiceId: string
  readonly speed: number
  readonly volume: number
  readonly watermark: boolean
  readonly accountId: string
}

/** Segment for the joined audio; `take` is null if it was not synthesized. */
export interface JoinPart {
  readonly id: string
  readonly state: SegmentState
  readonly paragraph: boolean
  readonly take: { readonly id: string; readonly mediaId: string; readonly sound: TakeAudio } | null
}

/** Queue of segments to synthesize or verify, of narrations outside Trash. */
export interface SpeechQueueRows {
  /** Returns the accounts with due segments. */
  dueAccounts(): readonly string[]
  /** Returns the due segment to execute next: chosen ones first, then in text order; `exceptGroups` are narrations. */
  next(query: {
    readonly accountId: string
    readonly at: number
    readonly except: readonly string[]
    readonly exceptGroups: readonly string[]
  }): SegmentRecord | undefined
  /** Returns when the next segment that waits for a retry is due (Unix ms). */
  nextTime(after: number): number | null
  /** Returns how many segments wait for a retry, without those of some accounts. */
  waiting(except: readonly string[]): number
  /** Returns the number of segments queued for this account. */
  openOf(accountId: string): number
  /** Whether anything of a narration is to be synthesized or verified. */
  isOpen(speechId: string): boolean
  /** Returns the narrations with segments to synthesize or verify, optionally of one account. */
  openSpeeches(accountId?: string): readonly string[]
  /** Queues these segments for regeneration, except silent, queued and running ones; returns how many. */
  enqueue(segmentIds: readonly string[], accountId: string): number
  /** Queues the missing, failed and outdated segments in a range of places; earlier takes are reused. */
  enqueueRemaining(speechId: string, accountId: string, range: PlaceRange): number
  /** Whether a segment of a narration is being synthesized. */
  isSpeaking(speechId: string): boolean
  /** Moves the waiting segments in a range of places to another account, immediately. */
  reassign(speechId: string, accountId: string, range: PlaceRange): void
  /** Queues the synthesized segments among them for verification again. */
  enqueueCheck(segmentIds: readonly string[], accountId: string): void
  /** Fails at most `limit` queued segments of an account, except the listed ones; returns how many. */
  failAll(accountId: string, error: Failure, except: readonly string[], limit: number): number
  /** Queues at most `limit` segments again that failed for one of these reasons; returns how many. */
  wake(accountId: string, codes: readonly string[], limit: number): number
  /** Returns the segments of an account that wait for a retry. */
  held(accountId: string): readonly SegmentRecord[]
  /** Queues the segments again that an ended process was synthesizing, except those in flight. */
  requeue(except: readonly string[]): void
}

/** Narrations with their segments and takes. Unknown IDs throw NOT_FOUND, except where undefined is documented. */
export interface SpeechStore extends SpeechQueueRows {
  create(speech: { id: string; title: string; settings: SpeechSettings; at: number }): void
  get(id: string): SpeechRecord | undefined
  configure(id: string, settings: SpeechSettings, at: number): void
  /** Returns only the settings; undefined if it is gone. */
  settings(id: string): SpeechSettings | undefined
  /** Returns at most `limit` rows after `after`: synthesized ones that left the text, then those of the text in order. */
  rows(id: string, after: PlacedRow | undefined, limit: number): readonly PlacedRow[]
  /** Begins splitting a text in several writes: until {@link placed}, the next start of the app repeats it. */
  placing(id: string, text: string): void
  /** Returns the narrations whose text was not completely split. */
  unplaced(): readonly { readonly id: string; readonly text: string }[]
  /** Removes rows from the text; rows with takes stay, others are deleted. */
  leave(segmentIds: readonly string[]): void
  put(id: string, segments: readonly PlacedSegment[]): void
  /** Completes the text: `rows` is the former or the current number of rows, whichever is larger. */
  placed(id: string, text: string, rows: number, at: number): void
  /** Whether the text has a segment at this place. */
  hasPlace(id: string, place: number): boolean
  /** Returns the text of the segments in a range of places. */
  text(id: string, range: PlaceRange): string
  segments(id: string, from: number, limit: number): readonly SegmentRecord[]
  /** Returns the parts of the joined audio, in text order. */
  joinParts(id: string, range: PlaceRange): readonly JoinPart[]
  /** Returns every selected take and whether a paragraph ends with it, in text order. */
  joinOrder(id: string): readonly (readonly [takeId: string, paragraph: boolean])[]
  /** Returns the voices of the selected takes, in text order. */
  usedVoices(id: string, limit: number): readonly string[]
  /**
   * Sets the states of inactive segments in a range. Requested segments are unchanged; with `resting` they are reset too, except
   * the segments listed there. Returns true if any changed.
   */
  restate(
    id: string,
    speakingStyle: SpeakingStyle | null,
    range: PlaceRange,
    resting?: ReadonlySet<string>,
  ): boolean
  /** Returns the state of a segment when nothing is requested. */
  restOf(segmentId: string, speakingStyle: SpeakingStyle | null): 'idle' | 'done' | 'stale'
  segment(segmentId: string): SegmentRecord | undefined
  /** Returns undefined if it is gone. */
  changeSegment(segmentId: string, patch: SegmentPatch): SegmentRecord | undefined
  /** Changes the text of a segment; `spoken`: it contains something to synthesize. */
  editSegment(segmentId: string, text: string, spoken: boolean, at: number): void
  addTake(take: NewTake): TakeRecord
  take(takeId: string): TakeRecord | undefined
  /** Newest first. */
  takes(segmentId: string): readonly TakeRecord[]
  /** Returns a take of the same fingerprint whose audio is saved. */
  same(fingerprint: string): TakeRecord | undefined
  choose(segmentId: string, takeId: string): void
  favour(takeId: string, favourite: boolean): void
  setCheck(takeId: string, check: TakeCheck): void
  setJoined(id: string, joined: SpeechRecord['joined'], places: readonly JoinedSegment[]): void
  /** Returns the positions of the segments in the joined audio. */
  places(id: string): readonly JoinedSegment[]
  recentVoices(limit: number): readonly (SpeechVoice & { readonly accountId: string })[]
}
