import type { Failure } from '../bridge/reply.ts'
import type { PartPlan } from './document.ts'

/** How long the text of one page is. Tokens are estimated: what they come to on average. */
export interface PageLength {
  readonly page: number
  /** Code units. */
  readonly chars: number
  readonly tokens: number
}

/** Text of a document as it is given to somebody: Markdown of its pages, the reader's own words in the place of what came. */
export interface DocumentText {
  /** Whole pages only; empty when not even the first one fits. */
  readonly text: string
  /** The pages in it. */
  readonly given: readonly PartPlan[]
  /** Every page that was asked for and has words, in order; those that are not in `given` did not fit. */
  readonly pages: readonly PageLength[]
  /** Pages that were asked for and have no words: not parsed, failed, or empty. */
  readonly without: number
  /** Most tokens that were to be given. */
  readonly maxTokens: number
}

/** A knowledge base as it was listed. */
export interface KnowledgeBaseBrief {
  readonly id: string
  readonly name: string
  /** Documents in it, where told. */
  readonly documents: number | null
}

/** The knowledge bases of an account. */
export interface KnownBases {
  readonly accountId: string
  readonly accountName: string
  readonly bases: readonly KnowledgeBaseBrief[]
  /** When they were listed, Unix ms; null when never. */
  readonly at: number | null
  /** Why they could not be listed now: `bases` are those that were kept. Null when they are fresh. */
  readonly failure: Failure | null
}

/**
 * `sending` is a run under way; `working`: the service took it and reads it; `done`: it can be found there; `refused`: the service did
 * not take it; `failed`: it was not sent, or the service could not read it.
 */
export type PushState = 'sending' | 'working' | 'done' | 'refused' | 'failed'

/** The text of a document that was added to a knowledge base. */
export interface DocumentPush {
  readonly id: string
  readonly documentId: string
  readonly accountId: string
  readonly accountName: string
  readonly baseId: string
  readonly baseName: string
  readonly state: PushState
  /** The run that sent it; null when it was removed, or never begun. */
  readonly runId: string | null
  /** Its id at the service; null until it was taken. */
  readonly remoteId: string | null
  /** Pages as they were asked for; empty means all. */
  readonly pages: string
  readonly pageMarks: boolean
  readonly chars: number
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly endedAt: number | null
  /** The text of these pages is another one now. */
  readonly changed: boolean
}
