import { setImmediate } from 'node:timers/promises'
import type { EventBatch } from '../../shared/model/run.ts'
import type { AppError } from '../errors.ts'
import { isStoreProblem, persist } from '../platform/database/persist.ts'

/** Events are batched for this long, in milliseconds. */
const batchMs = 30
/**
 * Approximate characters of a batch: one of this size is stored at once, so that the provider's pace never makes main thread
 * steps longer.
 */
const batchChars = 256 * 1024
/** Delay before a store that rejected a batch is tried again, in milliseconds. */
const againMs = 1000

/** Writes the events of one run to the database and then to the pages. */
interface EventLog {
  add(event: unknown): void
  /** Stores and reports waiting events; retries until the store accepts them or the signal fires. A broken log saves no more. */
  settle(signal: AbortSignal): Promise<void>
}

/** An event to be saved. */
interface Waiting {
  /** List with this event only: a single long event forms a batch without being copied. */
  readonly json: string
  readonly event: unknown
}

/** Destinations of batches. */
interface EventLogDeps {
  /** Throws if the store currently rejects it. `events` are those of the batch. */
  store(batch: EventBatch, events: readonly unknown[]): void
  /** Called only with stored batches. */
  emit(batch: EventBatch): void
  onTrouble(error: AppError): void
  /** Called once if the store permanently rejects a batch: later events are not saved. */
  onBroken(error: unknown): void
  /** Masks the JSON of an event before it is saved and reported. */
  mask(json: string): string
  /** Joins the events of a batch if they are saved differently than received. Each event is passed once. */
  join?(events: readonly unknown[]): readonly unknown[]
}

/**
 * Collects events and stores them in batches before any page receives them: nothing shown is ever lost. If the store fails,
 * the batch waits and grows, in order. Each event is serialized on arrival, so that the work is spread out.
 */
export function createEventLog(deps: EventLogDeps): EventLog {
  let waiting: Waiting[] = []
  /** Events to be joined before they are serialized. */
  let loose: unknown[] = []
  /** Approximate characters received since the last batch. */
  let freshChars = 0
  let next = 0
  let timer: NodeJS.Timeout | null = null
  let troubled = false
  let broken = false

  const toMaskedEvent = (event: unknown): Waiting => {
    const json = JSON.stringify([event])
    const masked = deps.mask(json)
    if (masked === json) return { json, event }
    const [maskedEvent] = JSON.parse(masked) as [unknown]
    return { json: masked, event: maskedEvent }
  }
  const gather = (): void => {
    if (!deps.join || loose.length === 0) return
    const joined = deps.join(loose)
    loose = []
    for (const event of joined) waiting.push(toMaskedEvent(event))
  }
  /** Stores and reports one batch; returns whether no more events wait. */
  const flush = (): boolean => {
    if (timer) clearTimeout(timer)
    timer = null
    freshChars = 0
    gather()
    if (waiting.length === 0) return true
    const count = countOfBatch(waiting)
    const taken = waiting.slice(0, count)
    const batch = { first: next, count, json: joinLists(taken) }
    deps.store(
      batch,
      taken.map(({ event }) => event),
    )
    waiting = waiting.slice(count)
    next += count
    deps.emit(batch)
    return waiting.length === 0
  }
  /** The same; throws only temporary errors. */
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
  /** Flushes in a separate step: the current one was spent on parsing these events. */
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
        const saved = toMaskedEvent(event)
        waiting.push(saved)
        freshChars += saved.json.length
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
        // Serializing and storing the last events are separate steps.
        do await setImmediate()
        while (!(await persist(tryFlush, signal, trouble)))
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
  }
}

/** Joins the lists of several events. */
function joinLists(events: readonly Waiting[]): string {
  const [first] = events
  if (first && events.length === 1) return first.json
  return `[${events.map(({ json }) => json.slice(1, -1)).join(',')}]`
}

/** Number of events in the next batch: at least one. */
function countOfBatch(waiting: readonly Waiting[]): number {
  let chars = 0
  const over = waiting.findIndex(({ json }) => (chars += json.length) > batchChars)
  return over < 0 ? waiting.length : Math.max(1, over)
}

/** Approximate characters of an event. */
export function charsOf(event: unknown): number {
  if (typeof event === 'string') return event.length
  if (typeof event !== 'object' || event === null) return 4
  let chars = 0
  if (Array.isArray(event)) for (const value of event) chars += charsOf(value)
  else for (const [name, value] of Object.entries(event)) chars += name.length + charsOf(value)
  return chars
}
