import type { Failure } from '../../shared/bridge/reply.ts'
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
} from '../../shared/model/speech.ts'
import type { TakeAudio } from '../audio/speech-output/inspect-audio.ts'

/** A speech as it is kept: without what only the running process knows. */
export type SpeechRecord = Omit<Speech, 'joining' | 'joinError' | 'joined'> & {
  readonly joined: (Omit<JoinedSpeech, 'current'> & JoinedOf) | null
  /** Another with every change of which takes stand where, or of how they are put together. */
  readonly revision: number
}

/** What a joined sound was made of. */
export interface JoinedOf {
  /** {@link SpeechRecord.revision} then; sounds of an earlier version have none. */
  readonly revision?: number
  readonly print: string
}

/** A piece with what only main needs. */
export interface SegmentRecord extends SpeechSegment {
  readonly seq: number
  readonly speechId: string
  /** Who is asked for it; null while it is not asked for. */
  readonly accountId: string | null
  /** The chosen take stays, whatever the settings say. */
  readonly pinned: boolean
  /** Nothing that was spoken before is reused. */
  readonly fresh: boolean
  /** Takes from this number on belong to the wish that is being fulfilled. */
  readonly round: number
  /** How often it was spoken anew by itself. */
  readonly again: number
  /** Sendings of this wish. */
  readonly attempts: number
}

/** Fields of a piece that change while it is spoken. */
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

/** A take with what only main needs. */
export interface TakeRecord extends SpeechTake {
  readonly seq: number
  readonly speechId: string
  /** Same text, voice, settings and account. */
  readonly fingerprint: string
  readonly sound: TakeAudio
}

/** A take as it begins. */
export type NewTake = Omit<TakeRecord, 'seq' | 'favourite' | 'durationMs'>

/** A piece of a new text: one that stays names its row. */
export interface PlacedSegment {
  readonly id: string
  readonly place: number
  readonly text: string
  readonly paragraph: boolean
  /** Of a new row. */
  readonly state: SegmentState
}

/** A row that a new text may have again. */
export interface PlacedRow {
  readonly seq: number
  readonly id: string
  /** Below 0: the text does not have it any more. */
  readonly place: number
  readonly text: string
  readonly paragraph: boolean
}

/** Places from `from` up to, but not with, `upTo`. */
export interface PlaceRange {
  readonly from: number
  readonly upTo: number
}

/** How a speech is spoken now, as far as a take depends on it; no voice: takes are as they are. */
export interface SpeakingStyle {
  readonly voiceId: string
  readonly speed: number
  readonly volume: number
  readonly watermark: boolean
  readonly accountId: string
}

/** A piece as it goes into the joined sound; `take` is null for one that was not spoken. */
export interface JoinPart {
  readonly id: string
  readonly state: SegmentState
  readonly paragraph: boolean
  readonly take: { readonly id: string; readonly mediaId: string; readonly sound: TakeAudio } | null
}

/** What is to be spoken or heard, of speeches outside the bin. */
export interface SpeechQueueRows {
  /** Accounts that are to be asked. */
  dueAccounts(): readonly string[]
  /** Pieces whose turn it is now, without those that are named: single wishes first, then in the order of the text. */
  due(
    accountId: string,
    now: number,
    except: readonly string[],
    limit: number,
  ): readonly SegmentRecord[]
  /** How many pieces wait for another try, and when the next wants it (Unix ms), without those of some accounts. */
  waiting(except: readonly string[]): { readonly n: number; readonly next: number | null }
  /** Pieces that this account is to be asked for. */
  openOf(accountId: string): number
  /** Whether anything of a speech is to be spoken or heard. */
  isOpen(speechId: string): boolean
  /** Speeches of which something is to be spoken or heard, by one account where it is named. */
  openSpeeches(accountId?: string): readonly string[]
  /** Those of them that can be spoken and are not are wished to be, anew; how many. */
  enqueue(segmentIds: readonly string[], accountId: string): number
  /** The same for what is not spoken, failed or stale in a range of places; what was spoken before is reused. */
  enqueueRemaining(speechId: string, accountId: string, range: PlaceRange): number
  /** Whether a piece of a speech is being spoken. */
  isSpeaking(speechId: string): boolean
  /** Another account is asked for what waits in a range of places, at once. */
  reassign(speechId: string, accountId: string, range: PlaceRange): void
  /** Those of them that were spoken are wished to be heard again. */
  enqueueCheck(segmentIds: readonly string[], accountId: string): void
  /** Fails at most `limit` pieces that an account was still to be asked for, but for those that are named; how many. */
  failAll(accountId: string, error: Failure, except: readonly string[], limit: number): number
  /** Queues at most `limit` pieces again that failed for one of these reasons; how many. */
  wake(accountId: string, codes: readonly string[], limit: number): number
  /** Pieces of an account that wait for another try. */
  held(accountId: string): readonly SegmentRecord[]
  /** What a process that ended was speaking is queued again. */
  requeue(): void
}

/** Speeches with their pieces and takes. What names one that is not there throws NOT_FOUND, unless it says undefined. */
export interface SpeechStore extends SpeechQueueRows {
  create(speech: { id: string; title: string; settings: SpeechSettings; at: number }): void
  get(id: string): SpeechRecord | undefined
  configure(id: string, settings: SpeechSettings, at: number): void
  /** Settings alone; undefined when it is gone. */
  settings(id: string): SpeechSettings | undefined
  /** At most `limit` rows behind `after`: those that the text had before and that were spoken, then those of the text in order. */
  rows(id: string, after: PlacedRow | undefined, limit: number): readonly PlacedRow[]
  /** Begins to part a text in several writes: until {@link placed} a start of the app does it again. */
  placing(id: string, text: string): void
  /** Speeches whose text was not parted to its end. */
  unplaced(): readonly { readonly id: string; readonly text: string }[]
  /** Rows leave the text, and keep their takes; without any they go. */
  leave(segmentIds: readonly string[]): void
  put(id: string, segments: readonly PlacedSegment[]): void
  /** The rows are those of the text now: `rows` is how many there were or are, whichever is more. */
  placed(id: string, text: string, rows: number, at: number): void
  /** Whether the text has a piece at this place. */
  hasPlace(id: string, place: number): boolean
  /** The text of the pieces in a range of places. */
  text(id: string, range: PlaceRange): string
  segments(id: string, from: number, limit: number): readonly SegmentRecord[]
  /** What goes into the joined sound, in the order of the text. */
  joinParts(id: string, range: PlaceRange): readonly JoinPart[]
  /** Names every chosen take and whether a paragraph ends with it, in the order of the text. */
  joinOrder(id: string): readonly (readonly [takeId: string, paragraph: boolean])[]
  /** The voices that are heard, in the order of the text. */
  usedVoices(id: string, limit: number): readonly string[]
  /**
   * Sets what pieces in a range are when nothing is asked of them. What is asked for stays so, or rests too where `resting` is given,
   * but for the pieces named there. True when any changed.
   */
  restate(
    id: string,
    speakingStyle: SpeakingStyle | null,
    range: PlaceRange,
    resting?: ReadonlySet<string>,
  ): boolean
  /** What a piece is when nothing is asked of it. */
  restOf(segmentId: string, speakingStyle: SpeakingStyle | null): 'idle' | 'done' | 'stale'
  segment(segmentId: string): SegmentRecord | undefined
  /** Undefined when it is gone. */
  changeSegment(segmentId: string, patch: SegmentPatch): SegmentRecord | undefined
  /** Another text of a piece; `spoken`: there is something to say in it. */
  editSegment(segmentId: string, text: string, spoken: boolean, at: number): void
  addTake(take: NewTake): TakeRecord
  take(takeId: string): TakeRecord | undefined
  /** Newest first. */
  takes(segmentId: string): readonly TakeRecord[]
  /** A take of the same fingerprint whose sound is kept. */
  same(fingerprint: string): TakeRecord | undefined
  choose(segmentId: string, takeId: string): void
  favour(takeId: string, favourite: boolean): void
  setCheck(takeId: string, check: TakeCheck): void
  setJoined(id: string, joined: SpeechRecord['joined'], places: readonly JoinedSegment[]): void
  /** Where the pieces lie in the joined sound. */
  places(id: string): readonly JoinedSegment[]
  recentVoices(limit: number): readonly (SpeechVoice & { readonly accountId: string })[]
}
