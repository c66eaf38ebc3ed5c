import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Segment } from '../../../../shared/model/meeting.ts'

/** How hearing again goes: segments that are still to be heard, and those that could not be, with the newest reason. */
export interface Passes {
  readonly waiting: number
  readonly failed: number
  readonly error: Failure | null
}

/** What another pass still has to do in a meeting. */
export function passesOf(segments: readonly Segment[]): Passes {
  const wanted = segments.filter(({ anotherPass }) => anotherPass)
  // One that waits for a time goes on by itself.
  const failed = wanted.filter(({ error, nextTryAt }) => error !== null && nextTryAt === null)
  const newest = failed.toSorted((a, b) => (b.error?.at ?? 0) - (a.error?.at ?? 0))[0]
  return {
    waiting: wanted.length - failed.length,
    failed: failed.length,
    error: newest?.error ?? null,
  }
}
