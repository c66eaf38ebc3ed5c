import type {
  MeaningKind,
  SemanticChoice,
  SemanticIndex,
  SemanticPlan,
  SemanticReply,
} from '../../../shared/model/semantic.ts'
import type { Api } from '../../api/types.ts'
import type { Clock, Log } from '../../deps.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { RetryingWrite } from '../storage/unsaved.ts'
import type { EmbedTexts } from '../vectors/embed-texts.ts'

/** What is looked for, and how. */
export interface SemanticQuery {
  readonly query: string
  /** Null: words alone. */
  readonly indexId: number | null
  readonly kinds: readonly MeaningKind[] | null
  /** Unix milliseconds, the first inclusive, the second not; null for no bound. */
  readonly from: number | null
  readonly until: number | null
  /** Only items that have it. */
  readonly tag: string | null
  readonly limit: number
  /** The account that ranks the hits anew (service-notes 5); null leaves them as they were merged. */
  readonly rerankBy: string | null
}

/** The Library by meaning: embedded on request, searched together with its words. Errors are thrown as AppError. */
export interface Semantic {
  /** Used last first, with what is new since. */
  indexes(): Promise<readonly SemanticIndex[]>
  /** What embedding would send; sends nothing. */
  plan(choice: SemanticChoice): Promise<SemanticPlan>
  /** Embeds what is new, changed or was refused, by and by; over restarts, outages and missing keys. */
  begin(choice: SemanticChoice): Promise<SemanticIndex>
  /** Goes on with what waits. Throws NOT_FOUND. */
  goOn(id: number): Promise<SemanticIndex>
  /** Stops for now; what came is kept. Throws NOT_FOUND. */
  pause(id: number): Promise<SemanticIndex>
  /** Stops and forgets what waits; what came is kept. Throws NOT_FOUND. */
  stop(id: number): Promise<SemanticIndex>
  /** Takes the index away, with its vectors. Throws NOT_FOUND. */
  remove(id: number): Promise<void>
  /** Hits by meaning and by words, merged, and ranked anew where asked. What the service refuses is told in the reply. */
  search(query: SemanticQuery, signal?: AbortSignal): Promise<SemanticReply>
  /** Goes on with what an earlier run left. */
  resume(): void
  accountReady(accountId: string): void
  busy(): boolean
  /** Stops everything before all is erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** What it is built from. */
export interface SemanticDeps {
  readonly store: Store
  readonly api: Pick<Api, 'rerank'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly texts: EmbedTexts
  readonly keep: RetryingWrite
  readonly clock: Clock
  readonly log: Log
  mask(text: string): string
  after(ms: number, work: () => void): () => void
  /** An index is another one than it was. */
  onIndexes(): void
}
