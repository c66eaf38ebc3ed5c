import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { UnsavedReplies } from '../../../shared/model/connection.ts'
import type { Log } from '../../deps.ts'
import { persist } from '../transcribe/persist.ts'

/**
 * Does a write until the store takes it, with growing pauses: what was received stays in memory meanwhile, and nothing is asked for again.
 * Gives up, throwing the last trouble, when `giveUp` fires or Lectern ends; errors that are none of the store are thrown at once.
 */
export type RetryingWrite = <T>(write: () => T | Promise<T>, giveUp?: AbortSignal) => Promise<T>

/** What was received and cannot be written now, all of it together. */
export interface Unsaved {
  readonly keep: RetryingWrite
  /** Lets go of everything: Lectern ends. */
  shutdown(): Promise<void>
  /** Lets go of everything before all is erased. */
  stopAll(): Promise<void>
}

/** What it is built from. */
export interface UnsavedDeps {
  readonly log: Log
  /** The number of writes that wait, with the trouble met last; null when all of them came through. */
  onChange(unsaved: UnsavedReplies | null): void
}

/** Builds it. */
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
          log.warn('The store does not take now what was received', { code })
          waiting.set(mine, code)
          notify()
        })
      } finally {
        if (waiting.delete(mine)) notify()
      }
    },
    async shutdown() {
      // For good: what comes in while the others end is tried once.
      giving.abort()
    },
    async stopAll() {
      giving.abort()
      giving = new AbortController()
    },
  }
}
