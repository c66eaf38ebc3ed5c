import type { Steps } from '../render-steps.ts'

/** Maximum milliseconds of work in a frame, before the browser lays out the inserted elements. */
const sliceMs = 6
/** Maximum elements inserted into the page before a frame is shown. */
const elementsOfFrame = 100

/** The page's clock and frames. */
export interface Frames {
  readonly now: () => number
  readonly ask: (frame: () => void) => void
}

/** Runs tasks one after another, a little in each frame. */
export interface Work {
  /** Adds a task after all earlier ones. */
  add(begin: () => Steps): void
  /** Adds a task before all that are not {@link soon} themselves: the user sees an empty place. */
  soon(begin: () => Steps): void
  /** Adds a task that runs only when there is no other. */
  later(begin: () => Steps): void
  /** Continues if there may be more to do. */
  wake(): void
  /** Works now for up to the given milliseconds. */
  hurry(ms: number): void
  /** Whether no work is left. */
  readonly idle: boolean
  /** Drops all unfinished work. */
  clear(): void
}

/** Creates it. `more` returns the next task when all added ones are done; null: none; `putOff`: not yet. */
export function createWork(
  { now, ask }: Frames,
  more: () => Steps | null,
  putOff: () => boolean = () => false,
): Work {
  let first: (() => Steps)[] = []
  let queue: (() => Steps)[] = []
  let rest: (() => Steps)[] = []
  let current: Steps | null = null
  let scheduled = false
  let age = 0

  // Deferred tasks run while the next one is postponed: otherwise they would wait forever, and retain their data.
  const next = (): Steps | null => {
    const begin = first.shift() ?? queue.shift()
    if (begin) return begin()
    const due = putOff() ? null : more()
    return due ?? rest.shift()?.() ?? (putOff() ? pause() : null)
  }
  /** Works within the limits; returns whether work is left. */
  const run = (ms: number, elements: number): boolean => {
    const until = now() + ms
    let left = elements
    for (;;) {
      current ??= next()
      if (!current) return false
      const { done, value } = current.next()
      if (done === true) current = null
      else if (value === Infinity) return true
      else left -= value
      if (left <= 0 || now() >= until) return true
    }
  }
  const wake = (): void => {
    if (scheduled) return
    scheduled = true
    const mine = age
    ask(() => {
      if (mine !== age) return
      scheduled = false
      if (run(sliceMs, elementsOfFrame)) wake()
    })
  }
  return {
    add(begin) {
      queue.push(begin)
      wake()
    },
    soon(begin) {
      first.push(begin)
      wake()
    },
    later(begin) {
      rest.push(begin)
      wake()
    },
    wake,
    hurry(ms) {
      if (run(ms, Infinity)) wake()
    },
    get idle() {
      return !scheduled && current === null && first.length + queue.length === 0
    },
    clear() {
      age += 1
      scheduled = false
      first = []
      queue = []
      rest = []
      current = null
    },
  }
}

/** A step that ends a frame. */
function* pause(): Steps {
  yield Infinity
}
