import type { Api } from '../../../provider-client/api.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { Handover } from '../../documents/index.ts'
import type { WorkQueue } from '../../../work-queue/work-queue.ts'
import type { Accounts } from '../../settings/index.ts'

/** Dependencies of all knowledge base services. */
export interface KnowledgeDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'path' | 'intake' | 'remove'>
  readonly remote: RemoteDeps
  readonly api: Pick<Api, 'knowledge' | 'documents'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly workQueue: WorkQueue
  readonly random: () => number
  /** Runs `work` after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
  /** Called after saved data of an account's knowledge bases changed: of one base, or of the list if `baseId` is null. */
  onChange(accountId: string, baseId: string | null): void
  /** Called after the images of a document changed. */
  onImages(accountId: string, documentId: string): void
  /** Notified when a knowledge base accepted the text of a Library document. */
  readonly handover: Pick<Handover, 'taken'>
  /** Number of files that wait for the network. */
  onWaiting(count: number): void
}

/** Identifies a knowledge base of an account. */
export interface BaseRef {
  readonly accountId: string
  readonly baseId: string
}
