import type { EventBatch } from '../../../shared/model/run.ts'
import type { AppError } from '../../errors.ts'
import { isStoreTrouble, persist } from '../transcribe/persist.ts'

/** Events are joined for this long, in milliseconds. */
const batchMs = 30
/** A store that did not take a batch is asked again after this long, in milliseconds. */
const againMs = 1000

/** The events of one run on their way into the database and to the pages. */
export interface EventLog {
  add(event: unknown): void
  /** Stores and tells what still waits; tries until the store takes it or the signal fires. A log that broke keeps no more. */
  settle(signal: AbortSignal): Promise<void>
}

/** What the log hands its batches to. */
export interface EventLogDeps {
  /** Throws when the store does not take it now. */
  store(batch: EventBatch): void
  /** Told only what was stored before. */
  tell(batch: EventBatch): void
  onTrouble(error: AppError): void
  /** The store will never take a batch, for no reason that passes. Called once: what comes after is not kept. */
  onBroken(error: unknown): void
  /** The JSON of an event as it may be kept and told. */
  mask(json: string): string
  /** The events of a batch as they are kept, where that are other ones than those that came. Each event is given once. */
  join?(events: readonly unknown[]): readonly unknown[]
}

/**
 * Gathers events and stores them in batches before any page hears of them: what was seen is never lost. A store in trouble makes
 * the batch wait and grow, in order. Each event is turned into text as it comes, so that no single moment bears the work of many.
 */
export function createEventLog(deps: EventLogDeps): EventLog {
  let waiting: string[] = []
  /** Events that are to be joined before they become text. */
  let loose: unknown[] = []
  let next = 0
  let timer: NodeJS.Timeout | null = null
  let broken = false

  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (deps.join && loose.length > 0) {
      const joined = deps.join(loose)
      loose = []
      for (const event of joined) waiting.push(deps.mask(JSON.stringify(event)))
    }
    if (waiting.length === 0) return
    const batch = { first: next, count: waiting.length, json: `[${waiting.join(',')}]` }
    deps.store(batch)
    waiting = []
    next += batch.count
    deps.tell(batch)
  }
  /** The same; throws only what passes. */
  const tryFlush = (): void => {
    try {
      flush()
    } catch (error) {
      if (isStoreTrouble(error)) throw error
      broken = true
      waiting = []
      loose = []
      deps.onBroken(error)
    }
  }
  const later = (ms: number): void => {
    timer ??= setTimeout(() => {
      try {
        tryFlush()
      } catch (error) {
        if (isStoreTrouble(error)) deps.onTrouble(error)
        later(againMs)
      }
    }, ms)
  }

  return {
    add(event) {
      if (broken) return
      if (deps.join) loose.push(event)
      else waiting.push(deps.mask(JSON.stringify(event)))
      later(batchMs)
    },
    async settle(signal) {
      try {
        await persist(tryFlush, signal, (error) => deps.onTrouble(error))
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
  }
}
