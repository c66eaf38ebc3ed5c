import { AppError } from './errors.ts'

/** Maximum delay of a timer in milliseconds; one set for longer fires immediately, again and again. */
const maxTimeoutMs = 2 ** 31 - 1

/** Pause before a retry while the library is being replaced or repaired, in milliseconds. */
const againMs = 500

/**
 * Runs work later (after 24 days at most) without keeping the process alive; returns a function that cancels it. Work that
 * finds no library, because another one is just replacing it, is retried.
 */
export function later(ms: number, work: () => void): () => void {
  const attempt = (): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DATABASE_BUSY') throw error
      timer = setTimeout(attempt, againMs).unref()
    }
  }
  let timer = setTimeout(attempt, Math.min(ms, maxTimeoutMs)).unref()
  return () => clearTimeout(timer)
}
