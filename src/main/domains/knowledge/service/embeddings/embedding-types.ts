import type {
  EmbeddingChoice,
  EmbeddingCost,
  EmbeddingRun,
} from '../../../../../shared/model/embeddings.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../../../../deps.ts'
import type { VectorFormat } from '../../../../platform/export-files/vectors/write.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { EmbeddingStore } from '../../store/embeddings-store.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { RetryingWrite } from '../../../../platform/database/unsaved.ts'
import type { EmbedTexts } from '../vectors/embed-texts.ts'

/** Texts, account and options of an embedding run. */
export interface EmbeddingOrder {
  readonly mediaId: string
  readonly accountId?: string | undefined
  readonly sets: readonly EmbeddingChoice[]
}

/** Embeddings (service-notes 15) as durable runs: texts and vectors are files, and no cached text is sent. */
export interface Embeddings {
  /** Sends nothing. Throws LIMIT_EXCEEDED for too many texts, DAMAGED_FILE, EMPTY_FILE, NOT_FOUND. */
  plan(order: EmbeddingOrder): Promise<{
    readonly count: number
    readonly costs: readonly EmbeddingCost[]
  }>
  /** Throws the errors of `plan`, and LIMIT_EXCEEDED or BAD_REQUEST (`item`, from 0) for the first text that would be refused. */
  start(order: EmbeddingOrder & { readonly title?: string | undefined }): Promise<EmbeddingRun>
  /** Throws REFUSED while it runs or when nothing is missing. */
  resumeRun(id: string): EmbeddingRun
  cancel(id: string): Promise<EmbeddingRun>
  get(id: string): EmbeddingRun
  list: EmbeddingStore['list']
  rename(id: string, title: string): EmbeddingRun
  remove(ids: readonly string[]): Promise<void>
  restore(ids: readonly string[]): void
  query(
    id: string,
    set: number,
    text: string,
  ): Promise<{ readonly mediaId: string; readonly cached: boolean }>
  items(
    ids: readonly string[],
    tokens: number,
  ): Promise<{ readonly mediaId: string; readonly count: number }>
  export(
    id: string,
    set: number,
    format: VectorFormat,
  ): Promise<{ readonly mediaId: string; readonly name: string }>
  /** Continues what an earlier process left, and deletes expired items. */
  resume(): void
  /** Called when the account can be reached again: continues what waited for it. */
  accountReady(accountId: string): void
  busy(): boolean
  shutdown(): Promise<void>
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
}

export interface EmbeddingsDeps {
  readonly home: string
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly embed: EmbedTexts
  readonly keep: RetryingWrite
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  mask(text: string): string
  activeAccountId(): string
  onRun(run: EmbeddingRun): void
  /** Called with the number of runs that wait for network or account. */
  onWaiting(count: number): void
}
