import type { ErrorCode } from '../../../shared/contract/reply.ts'
import { AppError } from '../../errors.ts'

/** Temporary store errors: a write that failed with one is retried. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'DISK_FULL',
  'DATABASE_BUSY',
  'DATABASE_DAMAGED',
  'READ_ONLY',
])

/** Whether it is a store error that a retry may avoid. */
export const isStoreCode = (code: ErrorCode): boolean => passing.has(code)

/** The same for anything that was thrown. */
export const isStoreProblem = (error: unknown): error is AppError =>
  error instanceof AppError && isStoreCode(error.code)

/** Maximum delay between two attempts, in milliseconds. */
const maxPauseMs = 15_000

/**
 * Retries a write until the store accepts it: received data must not be lost because the disk is temporarily full. Calls
 * `onTrouble` for each failed attempt. Gives up with the last error when `signal` fires; other errors are thrown
 * immediately.
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

/** Resolves after the delay, or immediately when the signal fires. */
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
