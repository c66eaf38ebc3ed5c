import { setImmediate } from 'node:timers/promises'

/** Has pieces of work done one after the other, each in a turn of the event loop of its own: whatever else waits goes between them. */
export type Turns = <T>(work: () => T | Promise<T>) => Promise<T>

/** Begins a row of turns; who shares one never does two pieces in the same turn. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(() => setImmediate()).then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
