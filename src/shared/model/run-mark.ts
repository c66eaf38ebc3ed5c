/** Work that can be in progress while Lectern is running. */
export const runWorks = [
  'recording',
  'meetings',
  'documents',
  'chats',
  'knowledge',
  'runs',
  'other',
] as const
export type RunWork = (typeof runWorks)[number]

/** A session of Lectern that ended without closing. Times are Unix ms. */
export interface UncleanEnd {
  readonly startedAt: number
  /** When it was last known to be running. */
  readonly seenAt: number
  /** Work in progress at that time. */
  readonly work: readonly RunWork[]
}
