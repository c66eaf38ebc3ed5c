import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import { AppError } from '../../errors.ts'

/** Troubles of the store that pass: a write that met one is tried again. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'DISK_FULL',
  'DATABASE_BUSY',
  'DATABASE_DAMAGED',
  'READ_ONLY',
])

/** True for an error of the store that another try may not meet. */
export const isStoreProblem = (error: unknown): error is AppError =>
  error instanceof AppError && passing.has(error.code)

/** Longest pause between two tries, in milliseconds. */
const maxPauseMs = 15_000

/**
 * Does a write until the store takes it: what was received must not be lost to a disk that is full for a moment.
 * `onTrouble` is told of each failed try. Gives up, throwing the last trouble, when `signal` fires; other errors are thrown at once.
 */
export async function persist<T>(
  write: () => T | Promise<T>,
  signal: AbortSignal,
  onTrouble: (error: AppError) => void,
): Promise<T> {
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreProblem(error) || signal.aborted) throw error
      onTrouble(error)
      await pause(pauseMs, signal)
    }
  }
}

/** Resolves after the pause, or at once when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
