import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { ChatsDeps } from './types.ts'

/**
 * Pauses before a question that failed is sent by itself again, in milliseconds, the first after its first failure. When all are
 * used up its failure stands, and the reader sends it.
 */
const pausesMs = [2000, 10_000, 30_000, 120_000, 300_000, 600_000] as const

/** What only another key mends: no time passes the trouble, and the reader who mends it does not wait. */
const aboutKeys: ReadonlySet<ErrorCode> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'KEYCHAIN_UNAVAILABLE',
])

/** How often questions that wait were sent by themselves and failed, in this run of Lectern. */
export interface Tries {
  /** Notes a failure; false when the question is not to be sent by itself again. */
  failed(questionId: string, code: ErrorCode): boolean
  /** Whether it was not tried yet. */
  isFresh(questionId: string): boolean
  /** Whether its pause is not over yet. */
  isResting(questionId: string): boolean
  forget(questionId: string): void
  /** Takes all pauses back. */
  stop(): void
}

interface Tried {
  readonly count: number
  /** Takes the pause back; null when it is over. */
  readonly cancel: (() => void) | null
}

/** Builds it. `due` is told when a pause is over. */
export function createTries(
  { after }: Pick<ChatsDeps, 'after'>,
  due: (questionId: string) => void,
): Tries {
  const tried = new Map<string, Tried>()
  const forget = (questionId: string): void => {
    tried.get(questionId)?.cancel?.()
    tried.delete(questionId)
  }
  return {
    failed(questionId, code) {
      const before = tried.get(questionId)?.count ?? 0
      forget(questionId)
      const pauseMs = pausesMs[before]
      if (pauseMs === undefined) return false
      const count = before + 1
      const over = (): void => {
        tried.set(questionId, { count, cancel: null })
        due(questionId)
      }
      const cancel = aboutKeys.has(code) ? null : after(pauseMs, over)
      tried.set(questionId, { count, cancel })
      return true
    },
    isFresh: (questionId) => !tried.has(questionId),
    isResting: (questionId) => (tried.get(questionId)?.cancel ?? null) !== null,
    forget,
    stop() {
      for (const questionId of tried.keys()) forget(questionId)
    },
  }
}
