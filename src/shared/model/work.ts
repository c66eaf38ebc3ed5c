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
}
