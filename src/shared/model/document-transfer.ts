import type { Failure } from '../contract/reply.ts'
import type { PartPlan } from './document.ts'

/** Length of the text of one page. Tokens are estimated averages. */
export interface PageLength {
  readonly page: number
  /** Code units. */
  readonly chars: number
  readonly tokens: number
}

/** Text of a document to pass on: the Markdown of its pages, with the user's edits. */
export interface DocumentText {
  /** Whole pages only; empty when none fits. */
  readonly text: string
  /** The pages included. */
  readonly given: readonly PartPlan[]
  /** Every requested page with text, in order; those not in `given` did not fit. */
  readonly pages: readonly PageLength[]
  /** Number of requested pages without text: not parsed, failed, or empty. */
  readonly without: number
  /** Requested maximum number of tokens. */
  readonly maxTokens: number
}

/** A knowledge base as listed. */
export interface KnowledgeBaseBrief {
  readonly id: string
  readonly name: string
  /** Number of documents in it, if reported. */
  readonly documents: number | null
}

/** The knowledge bases of an account. */
export interface KnownBases {
  readonly accountId: string
  readonly accountName: string
  readonly bases: readonly KnowledgeBaseBrief[]
  /** Time of the list, Unix ms; null if never listed. */
  readonly at: number | null
  /** Why they could not be listed now: `bases` are the saved ones. Null when they are up to date. */
  readonly failure: Failure | null
}

/**
 * `sending`: a run is in progress; `working`: the provider accepted the text and processes it; `done`: it can be found there;
 * `refused`: the provider rejected it; `failed`: it was not sent, or the provider could not read it.
 */
export type PushState = 'sending' | 'working' | 'done' | 'refused' | 'failed'

/** A document text added to a knowledge base. */
export interface DocumentPush {
  readonly id: string
  readonly documentId: string
  readonly accountId: string
  readonly accountName: string
  readonly baseId: string
  readonly baseName: string
  readonly state: PushState
  /** The run that sent it; null when it was removed or never started. */
  readonly runId: string | null
  /** Its ID at the provider; null until accepted. */
  readonly remoteId: string | null
  /** The requested pages; empty means all. */
  readonly pages: string
  readonly pageMarks: boolean
  readonly chars: number
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly endedAt: number | null
  /** Whether the text of these pages has changed since. */
  readonly changed: boolean
}
