import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { ChatsDeps } from './types.ts'

/**
 * Delays before a failed question is sent automatically again, in milliseconds; the first applies after its first
 * failure. When all are used, the failure remains and the user has to send the question.
 */
const pausesMs = [2000, 10_000, 30_000, 120_000, 300_000, 600_000] as const

/** Failures that only another key fixes: waiting does not help, and once the user fixes it no delay applies. */
const aboutKeys: ReadonlySet<ErrorCode> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'KEYCHAIN_UNAVAILABLE',
])

/** Counts how often waiting questions were sent automatically and failed in this run of Lectern. */
export interface Tries {
  /** Records a failure; returns false when the question must not be sent automatically again. */
  failed(questionId: string, code: ErrorCode): boolean
  /** Whether the question has not been tried yet. */
  isFresh(questionId: string): boolean
  /** Whether the delay of the question is still running. */
  isResting(questionId: string): boolean
  forget(questionId: string): void
  /** Cancels all delays. */
  stop(): void
}

interface Tried {
  readonly count: number
  /** Cancels the delay; null when it is over. */
  readonly cancel: (() => void) | null
}

/** Creates the retry counter. `due` is called when a delay is over. */
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
