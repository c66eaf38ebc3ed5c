import type { AppEvent } from '../shared/contract/events.ts'
import type { Connection, Accounts, NetworkChoices } from './domains/settings/index.ts'
import type { HostDeps } from './host.ts'
import type { Store } from './library-database/store.ts'
import type { Calls } from './platform/bridge/calls.ts'
import type { StreamHub } from './platform/bridge/streams.ts'
import type { RetryingWrite } from './platform/database/unsaved.ts'
import type { MediaFiles } from './platform/files/files.ts'
import type { Api } from './provider-client/api.ts'
import type { WorkQueue } from './work-queue/work-queue.ts'

/** What all domains are built from, except for what the settings provide. */
export interface Platform extends HostDeps {
  readonly store: Store
  readonly files: MediaFiles
  readonly hub: StreamHub
  readonly calls: Calls
  readonly workQueue: WorkQueue
  /** Sends an event to every page. */
  emit(event: AppEvent): void
  /** Removes everything that looks like a key from a text that leaves main. */
  redact(text: string): string
  /** Removes registered keys from a text: joined fragments of a response are masked again before they are stored or emitted. */
  mask(text: string): string
  /** Number of characters at the end of a text that may be the beginning of a key: they wait for the text after them. */
  openEnd(text: string): number
  /** Returns the number of pages of a PDF; null when unknown. */
  countPages(path: string): Promise<number | null>
  random(): number
  /** Runs work after a delay, without keeping the process alive; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
}

/** What all domains are built from: created once, by `createApp`. A service names the parts of it that it uses. */
export interface Context extends Platform {
  /** Proxy and certificates that the user chose. */
  readonly network: NetworkChoices
  /** Client of the provider. */
  readonly api: Api
  readonly accounts: Accounts
  activeAccountId(): string
  /** Keeps received data until the store accepts it. */
  readonly keep: RetryingWrite
  /** Shows in the status bar how many tasks of a type wait for the network. */
  readonly setWaiting: Connection['setWaiting']
}
