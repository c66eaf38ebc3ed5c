import { setImmediate } from 'node:timers/promises'
import { createWorkQueue, type WorkQueue } from '../../../src/main/work-queue/work-queue.ts'
import type { Log } from '../../../src/main/deps.ts'
import { eventually } from '../../fixtures/eventually.ts'

/** Planned work of a test, which runs it and moves the clock. */
export interface PlannedWork {
  readonly at: number
  readonly work: () => void
}

/** Creates a work queue whose timers the test runs, soonest first, and which tells when an item has ended. */
export function observedQueue(now: () => number, log: Log, timers: PlannedWork[]) {
  let started = 0
  let ended = 0
  /** Number of items that the test has waited for. */
  let seen = 0
  const queue = createWorkQueue({
    clock: now,
    log,
    random: () => 0.5,
    after(ms, work) {
      const timer = { at: now() + ms, work }
      timers.push(timer)
      timers.sort((one, other) => one.at - other.at)
      return () => {
        const place = timers.indexOf(timer)
        if (place >= 0) timers.splice(place, 1)
      }
    },
  })
  const workQueue: WorkQueue = {
    add: (work) =>
      queue.add({
        ...work,
        async execute(...call) {
          started += 1
          try {
            return await work.execute(...call)
          } finally {
            // What follows a failure is stored before the next search.
            void setImmediate().then(() => (ended += 1))
          }
        },
      }),
  }
  return {
    workQueue,
    /** Waits for the items in flight; without any, moves to the next timer first. Returns the milliseconds moved. */
    async tick(moveTo: (at: number) => void): Promise<number> {
      await setImmediate()
      let moved = 0
      if (started === seen) {
        const timer = timers.shift()
        if (!timer) throw new Error('nothing is planned')
        moved = Math.max(0, timer.at - now())
        moveTo(now() + moved)
        timer.work()
      }
      await eventually(() => {
        if (started === seen || ended < started) throw new Error('nothing has ended')
      })
      await setImmediate()
      seen = started
      return moved
    },
  }
}
