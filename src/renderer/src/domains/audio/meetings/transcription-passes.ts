import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Segment } from '../../../../../shared/model/meeting.ts'

/** Progress of transcribing again: waiting segments, and failed ones with the latest reason. */
interface Passes {
  readonly waiting: number
  readonly failed: number
  readonly error: Failure | null
}

/** Returns the remaining work of another transcription of a meeting. */
export function passesOf(segments: readonly Segment[]): Passes {
  const wanted = segments.filter(({ anotherPass }) => anotherPass)
  // A segment that waits for a retry continues automatically.
  const failed = wanted.filter(({ error, nextTryAt }) => error !== null && nextTryAt === null)
  const newest = failed.toSorted((a, b) => (b.error?.at ?? 0) - (a.error?.at ?? 0))[0]
  return {
    waiting: wanted.length - failed.length,
    failed: failed.length,
    error: newest?.error ?? null,
  }
}
