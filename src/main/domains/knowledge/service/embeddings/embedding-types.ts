import type { EmbeddingChoice } from '../../../../../shared/model/embeddings.ts'
import type { Context } from '../../../../context.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../../../../deps.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { WorkQueue } from '../../../../work-queue/work-queue.ts'
import type { EmbedTexts } from '../vectors/embed-texts.ts'

/** Texts, account and options of an embedding run. */
export interface EmbeddingOrder {
  readonly mediaId: string
  readonly accountId?: string | undefined
  readonly sets: readonly EmbeddingChoice[]
}

export interface EmbeddingsDeps extends Pick<Context, 'emit' | 'setWaiting'> {
  readonly home: string
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly embed: EmbedTexts
  readonly workQueue: WorkQueue
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  mask(text: string): string
  activeAccountId(): string
}
