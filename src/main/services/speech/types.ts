import type {
  SpeechSegment,
  Speech,
  SpeechSettings,
  SpeechTake,
  SpeechVoice,
} from '../../../shared/model/speech.ts'
import type { ParsedOf, ReplyOf } from '../../../shared/bridge/routes.ts'
import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SpeechOutputWorker } from './speech-output-worker.ts'

/** What everything about speeches needs. */
export interface SpeakingParts {
  readonly home: string
  readonly version: string
  readonly store: Store
  readonly files: MediaFiles
  readonly api: Api
  readonly accounts: Accounts
  readonly spoken: SpeechOutputWorker
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** A text without the keys there are. */
  mask(text: string): string
  activeAccountId(): string
  /** Runs work later, without keeping the process alive; what it gives takes it back. */
  after(ms: number, work: () => void): () => void
  onSpeech(speech: Speech): void
  /** Pieces stand otherwise; null: they are others now and are to be read anew. */
  onSegments(id: string, segments: readonly SpeechSegment[] | null): void
  onLibrary(itemIds: readonly string[]): void
  /** How many pieces wait for the network now. */
  onWaiting(count: number): void
}

/** Texts spoken with a voice (service-notes 3), durably: in pieces, heard again, joined. What names one that is gone throws NOT_FOUND. */
export interface SpeechService {
  create(request: {
    readonly title?: string | undefined
    readonly text: string
    readonly settings?:
      | Partial<{ [K in keyof SpeechSettings]: SpeechSettings[K] | undefined }>
      | undefined
  }): Promise<Speech>
  get(id: string): Speech
  segments(id: string, from: number, limit: number): ReplyOf<'speech.segments'>
  setText(id: string, text: string): Promise<Speech>
  configure(request: ParsedOf<'speech.configure'>): Promise<Speech>
  editSegment(request: ParsedOf<'speech.editSegment'>): Promise<Speech>
  /** `pieceIds`: spoken anew, whatever they have; else what is not spoken, failed or stale. */
  speak(
    id: string,
    segmentIds: readonly string[] | undefined,
  ): Promise<{ readonly speech: Speech; readonly asked: number }>
  /** Asks another account for what waits, with that voice of it; what is spoken stays. Throws REFUSED while a piece is being spoken. */
  move(id: string, accountId: string, voice: SpeechVoice): Promise<Speech>
  stop(id: string): Promise<Speech>
  takes(id: string, segmentId: string): readonly SpeechTake[]
  choose(id: string, takeId: string): Speech
  favour(id: string, takeId: string, favourite: boolean): SpeechTake
  check(id: string, segmentIds: readonly string[]): Promise<Speech>
  join(id: string): Promise<Speech>
  /** Where the pieces lie in the joined sound; none without one. */
  places(id: string): ReplyOf<'speech.get'>['places']
  export(
    request: ParsedOf<'speech.export'>,
    signal?: AbortSignal,
  ): Promise<ReplyOf<'speech.export'>>
  duplicate(id: string, title: string): Promise<Speech>
  recentVoices(): ReplyOf<'speech.recentVoices'>
  /** Takes up what an earlier run left unfinished. */
  resume(): void
  accountReady(accountId: string): void
  /** Stops the work on items that are about to go. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Stops everything for good, before all is erased. */
  stopAll(): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
