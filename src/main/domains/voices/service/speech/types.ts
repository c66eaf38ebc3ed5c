import type {
  Speech,
  SpeechSettings,
  SpeechTake,
  SpeechVoice,
} from '../../../../../shared/model/speech.ts'
import type { ParsedOf, ReplyOf } from '../../../../../shared/contract/routes.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { WorkQueue } from '../../../../work-queue/work-queue.ts'
import type { SpeechOutputWorker } from './speech-output-worker.ts'

/** Dependencies of all narration services. */
export interface SpeakingParts extends Pick<Context, 'emit' | 'setWaiting'> {
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
  readonly workQueue: WorkQueue
  /** Removes the known API keys from a text. */
  mask(text: string): string
  activeAccountId(): string
  /** Runs work later, without keeping the process alive; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
}

/**
 * Durable narrations of texts (service-notes 3): split into segments, verified, joined. Throws NOT_FOUND for IDs that do
 * not exist.
 */
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
  /** `pieceIds`: generated again in any case; otherwise segments that are not generated, failed or outdated. */
  speak(
    id: string,
    segmentIds: readonly string[] | undefined,
  ): Promise<{ readonly speech: Speech; readonly asked: number }>
  /**
   * Moves the waiting segments to another account with the given voice; generated ones stay. Throws REFUSED while a
   * segment is being generated.
   */
  move(id: string, accountId: string, voice: SpeechVoice): Promise<Speech>
  stop(id: string): Promise<Speech>
  takes(id: string, segmentId: string): readonly SpeechTake[]
  choose(id: string, takeId: string): Speech
  favour(id: string, takeId: string, favourite: boolean): SpeechTake
  check(id: string, segmentIds: readonly string[]): Promise<Speech>
  join(id: string): Promise<Speech>
  /** Returns the positions of the segments in the joined audio; none without one. */
  places(id: string): ReplyOf<'speech.get'>['places']
  export(
    request: ParsedOf<'speech.export'>,
    signal?: AbortSignal,
  ): Promise<ReplyOf<'speech.export'>>
  duplicate(id: string, title: string): Promise<Speech>
  recentVoices(): ReplyOf<'speech.recentVoices'>
  /** Resumes unfinished work of an earlier run. */
  resume(): void
  accountReady(accountId: string): void
  /** Stops the work on items that are about to be deleted. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
