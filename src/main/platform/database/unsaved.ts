import type { ErrorCode } from '../../../shared/contract/reply.ts'
import type { UnsavedReplies } from '../../../shared/model/connection.ts'
import type { Log } from '../../deps.ts'
import { persist } from './persist.ts'

/**
 * Retries a write with growing delays until the store accepts it: the received data stays in memory meanwhile, and
 * nothing is requested again. Gives up with the last error when `giveUp` fires or Lectern quits; errors that are not
 * from the store are thrown immediately.
 */
export type RetryingWrite = <T>(write: () => T | Promise<T>, giveUp?: AbortSignal) => Promise<T>

/** Tracks received data that cannot be written at the moment. */
interface Unsaved {
  readonly keep: RetryingWrite
  /** Discards everything, because Lectern quits. */
  shutdown(): Promise<void>
  /** Discards everything before all data is erased. */
  stopAll(): Promise<void>
}

interface UnsavedDeps {
  readonly log: Log
  /** Called with the number of waiting writes and the last error; null when all of them succeeded. */
  onChange(unsaved: UnsavedReplies | null): void
}

export function createUnsaved({ log, onChange }: UnsavedDeps): Unsaved {
  const waiting = new Map<symbol, ErrorCode>()
  let giving = new AbortController()
  const notify = (): void => {
    const code = [...waiting.values()].at(-1)
    onChange(code === undefined ? null : { count: waiting.size, code })
  }
  return {
    async keep(write, giveUp) {
      const mine = Symbol('write')
      const signal = giveUp ? AbortSignal.any([giveUp, giving.signal]) : giving.signal
      try {
        return await persist(write, signal, ({ code }) => {
          if (waiting.get(mine) === code) return
          log.warn('Failed to save received data, will retry', { code })
          waiting.set(mine, code)
          notify()
        })
      } finally {
        if (waiting.delete(mine)) notify()
      }
    },
    async shutdown() {
      // Permanently: writes received while the others end are tried once.
      giving.abort()
    },
    async stopAll() {
      giving.abort()
      giving = new AbortController()
    },
  }
}
