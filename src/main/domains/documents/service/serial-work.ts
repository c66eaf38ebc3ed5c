import { setImmediate } from 'node:timers/promises'

/** Runs tasks one after the other, each in its own turn of the event loop: other pending work runs in between. */
type Turns = <T>(work: () => T | Promise<T>) => Promise<T>

/** Creates a queue of turns; tasks that share one never run in the same turn. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(() => setImmediate()).then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
