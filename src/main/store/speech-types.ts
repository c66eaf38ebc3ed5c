import type { Failure } from '../../shared/bridge/reply.ts'
import type {
  JoinedSpeech,
  PieceState,
  Speech,
  SpeechPiece,
  SpeechSettings,
  SpeechTake,
  SpeechVoice,
  TakeCheck,
} from '../../shared/model/speech.ts'
import type { TakeSound } from '../sound/spoken/look.ts'

/** A speech as it is kept: without what only the running process knows. */
export type SpeechRecord = Omit<Speech, 'joining' | 'joinError' | 'joined'> & {
  readonly joined: (Omit<JoinedSpeech, 'current'> & { readonly print: string }) | null
}

/** A piece with what only main needs. */
export interface PieceRecord extends SpeechPiece {
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
export interface PiecePatch {
  readonly state?: PieceState
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
  readonly sound: TakeSound
}

/** A take as it begins. */
export type NewTake = Omit<TakeRecord, 'seq' | 'favourite' | 'durationMs'>

/** A piece of a new text: one that stays names its row. */
export interface PlacedPiece {
  readonly id: string
  readonly text: string
  readonly paragraph: boolean
  /** Of a new row. */
  readonly state: PieceState
}

/** What is asked of all pieces when it is seen which are stale. */
export interface PieceStand {
  readonly id: string
  readonly text: string
  readonly state: PieceState
  readonly pinned: boolean
  /** Of the chosen take; null without one. */
  readonly fingerprint: string | null
  readonly takeText: string | null
  readonly takeId: string | null
  readonly paragraph: boolean
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
  ): readonly PieceRecord[]
  /** When the next piece wants to be tried (Unix ms); null for never. */
  nextTime(): number | null
  /** Pieces that wait for another try, and all that are open. */
  openCounts(): { readonly waiting: number; readonly open: number }
  /** Speeches of which something is to be spoken or heard. */
  openSpeeches(): readonly string[]
  /** States of pieces of which nothing is asked any more, by their ids. */
  settle(states: readonly (readonly [id: string, state: PieceState])[]): void
  /** They are wished to be spoken; `fresh`: nothing that was spoken before is reused. */
  wish(pieceIds: readonly string[], accountId: string, fresh: boolean): void
  /** Those of them that were spoken are wished to be heard again. */
  hear(pieceIds: readonly string[], accountId: string): void
  /** Pieces that wait for another try, or failed, with why. */
  stuck(accountId: string): readonly PieceRecord[]
  /** What a process that ended was speaking is queued again. */
  requeue(): void
}

/** Speeches with their pieces and takes. What names one that is not there throws NOT_FOUND, unless it says undefined. */
export interface SpeechStore extends SpeechQueueRows {
  create(speech: { id: string; title: string; settings: SpeechSettings; at: number }): void
  get(id: string): SpeechRecord | undefined
  configure(id: string, settings: SpeechSettings, at: number): void
  /** The pieces of the text as it is now, in order; rows that are not named leave it, and keep their takes. */
  place(id: string, pieces: readonly PlacedPiece[], at: number): void
  pieces(id: string, from: number, limit: number): readonly PieceRecord[]
  /** `gone`: those that the text does not have any more, and that were spoken. */
  stands(id: string, gone?: boolean): readonly PieceStand[]
  piece(pieceId: string): PieceRecord | undefined
  /** Undefined when it is gone. */
  changePiece(pieceId: string, patch: PiecePatch): PieceRecord | undefined
  editPiece(pieceId: string, text: string, at: number): void
  addTake(take: NewTake): TakeRecord
  take(takeId: string): TakeRecord | undefined
  /** Newest first. */
  takes(pieceId: string): readonly TakeRecord[]
  /** A take of the same fingerprint whose sound is kept. */
  same(fingerprint: string): TakeRecord | undefined
  choose(pieceId: string, takeId: string): void
  favour(takeId: string, favourite: boolean): void
  setCheck(takeId: string, check: TakeCheck): void
  setJoined(id: string, joined: SpeechRecord['joined']): void
  recentVoices(limit: number): readonly (SpeechVoice & { readonly accountId: string })[]
}
