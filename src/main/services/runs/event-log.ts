import { setImmediate } from 'node:timers/promises'
import type { EventBatch } from '../../../shared/model/run.ts'
import type { AppError } from '../../errors.ts'
import { isStoreProblem, persist } from '../transcribe/persist.ts'

/** Events are joined for this long, in milliseconds. */
const batchMs = 30
/** Characters of a batch, about: one that has as many is stored at once, so that no step of the main thread grows with the pace of the service. */
const batchChars = 256 * 1024
/** A store that did not take a batch is asked again after this long, in milliseconds. */
const againMs = 1000

/** The events of one run on their way into the database and to the pages. */
export interface EventLog {
  add(event: unknown): void
  /** Stores and tells what still waits; tries until the store takes it or the signal fires. A log that broke keeps no more. */
  settle(signal: AbortSignal): Promise<void>
}

/** An event as it is kept. */
interface Waiting {
  /** A list of it alone: one long event is a batch without another copy of it. */
  readonly json: string
  readonly event: unknown
}

/** What the log hands its batches to. */
export interface EventLogDeps {
  /** Throws when the store does not take it now. `events` are those of the batch. */
  store(batch: EventBatch, events: readonly unknown[]): void
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
  let waiting: Waiting[] = []
  /** Events that are to be joined before they become text. */
  let loose: unknown[] = []
  /** Characters that came since the last batch, about. */
  let freshChars = 0
  let next = 0
  let timer: NodeJS.Timeout | null = null
  let troubled = false
  let broken = false

  const asSaved = (event: unknown): Waiting => {
    const json = JSON.stringify([event])
    const masked = deps.mask(json)
    if (masked === json) return { json, event }
    const [kept] = JSON.parse(masked) as [unknown]
    return { json: masked, event: kept }
  }
  const gather = (): void => {
    if (!deps.join || loose.length === 0) return
    const joined = deps.join(loose)
    loose = []
    for (const event of joined) waiting.push(asSaved(event))
  }
  /** Stores and tells one batch; whether nothing waits after it. */
  const flush = (): boolean => {
    if (timer) clearTimeout(timer)
    timer = null
    freshChars = 0
    gather()
    if (waiting.length === 0) return true
    const count = countOfBatch(waiting)
    const taken = waiting.slice(0, count)
    const batch = { first: next, count, json: joinedLists(taken) }
    deps.store(
      batch,
      taken.map(({ event }) => event),
    )
    waiting = waiting.slice(count)
    next += count
    deps.tell(batch)
    return waiting.length === 0
  }
  /** The same; throws only what passes. */
  const tryFlush = (): boolean => {
    try {
      const done = flush()
      troubled = false
      return done
    } catch (error) {
      troubled = isStoreProblem(error)
      if (troubled) throw error
      broken = true
      waiting = []
      loose = []
      deps.onBroken(error)
      return true
    }
  }
  const attempt = (): void => {
    try {
      if (!tryFlush()) later(0)
    } catch (error) {
      if (isStoreProblem(error)) deps.onTrouble(error)
      later(againMs)
    }
  }
  const later = (ms: number): void => {
    timer ??= setTimeout(attempt, ms)
  }
  /** In a step of its own: whoever reads the service has just made these events. */
  const atOnce = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    later(0)
  }

  return {
    add(event) {
      if (broken) return
      if (deps.join) {
        loose.push(event)
        freshChars += charsOf(event)
      } else {
        const kept = asSaved(event)
        waiting.push(kept)
        freshChars += kept.json.length
      }
      if (freshChars >= batchChars) {
        gather()
        freshChars = 0
        if (!troubled) return atOnce()
      }
      later(batchMs)
    },
    async settle(signal) {
      try {
        const trouble = (error: AppError): void => deps.onTrouble(error)
        // What was made of the last events and its storing are steps of their own.
        do await setImmediate()
        while (!(await persist(tryFlush, signal, trouble)))
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
  }
}

/** The lists of some events as one. */
function joinedLists(taken: readonly Waiting[]): string {
  const [first] = taken
  if (first && taken.length === 1) return first.json
  return `[${taken.map(({ json }) => json.slice(1, -1)).join(',')}]`
}

/** How many of the events are the next batch: one at least. */
function countOfBatch(waiting: readonly Waiting[]): number {
  let chars = 0
  const over = waiting.findIndex(({ json }) => (chars += json.length) > batchChars)
  return over < 0 ? waiting.length : Math.max(1, over)
}

/** Characters of an event, about. */
export function charsOf(event: unknown): number {
  if (typeof event === 'string') return event.length
  if (typeof event !== 'object' || event === null) return 4
  let chars = 0
  if (Array.isArray(event)) for (const value of event) chars += charsOf(value)
  else for (const [name, value] of Object.entries(event)) chars += name.length + charsOf(value)
  return chars
}
