import type { Failure } from '../contract/reply.ts'

export const workKinds = [
  'meeting',
  'summary',
  'document',
  'upload',
  'embedding',
  'chat',
  'speech',
  'run',
  'retrieval',
  'ranking',
  'texts',
  'index',
  'export',
] as const

/**
 * One of {@link workKinds}. `upload`: sent to a knowledge base; `embedding`: processed by it; `texts` and `index`: embedded
 * here.
 */
export type WorkKind = (typeof workKinds)[number]

/**
 * Why no other account can do a job: the voice is private (`privateVoice`), no other account has an official voice
 * (`noVoice`) or a knowledge base (`noBase`), or the knowledge bases of an agent (`agent`) or of a retrieval run (`bases`)
 * are on its account.
 */
export type WorkBound = 'privateVoice' | 'noVoice' | 'noBase' | 'agent' | 'bases'

/** An account that can do a job, with its replacement voice or knowledge base. */
export interface WorkTarget {
  readonly accountId: string
  readonly choiceId: string
  readonly choiceName: string
}

/** A written file that the user has not saved yet. */
export interface WrittenFile {
  readonly mediaId: string
  /** Suggested name of its copy. */
  readonly name: string
}

/** Running or waiting work, a failure that was not dismissed, or an export that is ready to be saved. */
export interface Work {
  readonly kind: WorkKind
  /** ID within its type. */
  readonly id: string
  /** ID of what it opens: an item, a knowledge base, a run. */
  readonly placeId: string
  readonly title: string
  readonly accountId: string
  readonly accountName: string
  /** `queued`: for its turn; `waiting`: for the network, its account, or another attempt; `failed`: until it is retried; `ready`: `file` is written. */
  readonly state: 'running' | 'queued' | 'waiting' | 'failed' | 'ready'
  /** 0 to 1; null when unknown. */
  readonly progress: number | null
  /** Why it is waiting or failed, if known. */
  readonly error: Failure | null
  /** Whether another account can continue it: received results are kept, and nothing is requested twice. */
  readonly movable: boolean
  /** Accounts it can move to; null means all. */
  readonly targets: readonly WorkTarget[] | null
  /** Why it cannot move, if known. */
  readonly bound: WorkBound | null
  /** Whether the request may have reached the provider before it failed, and may have been completed and billed. */
  readonly mayBeDone: boolean
  /** File of a finished export. */
  readonly file: WrittenFile | null
}
