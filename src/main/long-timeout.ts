import { AppError } from './errors.ts'

/** The longest a timer holds; one that is set for longer fires at once, and again and again. */
const maxTimeoutMs = 2 ** 31 - 1

/** Pause before another try while the library is exchanged or mended, in milliseconds. */
const againMs = 500

/**
 * Runs work later (after 24 days at most), without keeping the process alive; what it gives takes it back. Work that finds no library, as
 * another is just put in its place, is tried again.
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
