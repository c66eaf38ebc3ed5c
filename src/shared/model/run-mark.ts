/** What a run of Lectern can be in the middle of. */
export const runWorks = [
  'recording',
  'meetings',
  'transcriptions',
  'documents',
  'chats',
  'knowledge',
  'runs',
  'other',
] as const
/** One of them. */
export type RunWork = (typeof runWorks)[number]

/** A run that ended without being closed. Times are Unix ms. */
export interface UncleanEnd {
  readonly startedAt: number
  /** When it was last known to run. */
  readonly seenAt: number
  /** What was under way then. */
  readonly work: readonly RunWork[]
}
