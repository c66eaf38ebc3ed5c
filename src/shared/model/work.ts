import type { Failure } from '../bridge/reply.ts'

/** What goes on by itself. */
export const workKinds = [
  'meeting',
  'summary',
  'transcription',
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
] as const

/** One of {@link workKinds}. `upload` is sent to a knowledge base, `embedding` is read by it; `texts` and `index` are embedded here. */
export type WorkKind = (typeof workKinds)[number]

/**
 * Why no other account can do a job: the voice is a private one (`privateVoice`), no other account has an official voice (`noVoice`) or a
 * knowledge base (`noBase`), or the knowledge bases of an agent (`agent`) or of a retrieval run (`bases`) are on its account.
 */
export type WorkBound = 'privateVoice' | 'noVoice' | 'noBase' | 'agent' | 'bases'

/** An account that can do a job, with what it uses instead: a voice or a knowledge base. */
export interface WorkTarget {
  readonly accountId: string
  readonly choiceId: string
  readonly choiceName: string
}

/** Something that is under way, or waits. */
export interface Work {
  readonly kind: WorkKind
  /** Names it within its kind. */
  readonly id: string
  /** What is opened for it: an item, a base, a run. */
  readonly placeId: string
  readonly title: string
  readonly accountId: string
  readonly accountName: string
  /** `queued`: for its turn; `waiting`: for the network, its account, or another try. */
  readonly state: 'running' | 'queued' | 'waiting'
  /** 0 to 1; null where nobody knows. */
  readonly progress: number | null
  /** Why it waits, where known. */
  readonly error: Failure | null
  /** Another account can do it: what has come is kept, and nothing is asked for twice. */
  readonly movable: boolean
  /** Where it can move; null: to every account. */
  readonly targets: readonly WorkTarget[] | null
  /** Why it cannot move, where that is known. */
  readonly bound: WorkBound | null
  /** The request may have reached the provider before it failed, which may have done and billed it. */
  readonly mayBeDone: boolean
}
