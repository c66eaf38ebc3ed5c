import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'
import type { Handover } from '../documents/send-to/send-to.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** What everything about knowledge bases is built from. */
export interface KnowledgeDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'path' | 'intake' | 'remove'>
  readonly remote: RemoteDeps
  readonly api: Pick<Api, 'knowledge' | 'documents'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly random: () => number
  /** Runs `work` after `ms`; the returned function calls it off. */
  after(ms: number, work: () => void): () => void
  /** Told after what is kept of an account's bases changed: of one base, or of the list where `baseId` is null. */
  onChange(accountId: string, baseId: string | null): void
  /** Told after something became of the pictures of a document. */
  onImages(accountId: string, documentId: string): void
  /** Told when a base took the text of a document of the Library. */
  readonly handover: Pick<Handover, 'taken'>
  /** How many files wait for the network. */
  onWaiting(count: number): void
}

/** Which base of which account. */
export interface BaseRef {
  readonly accountId: string
  readonly baseId: string
}
