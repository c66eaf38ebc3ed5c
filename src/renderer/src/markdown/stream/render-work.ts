import type { Steps } from '../render-queue.ts'

/** Milliseconds of a frame that work may take, before the browser lays out what was put in. */
const sliceMs = 6
/** Elements that may be put into the page before a frame is shown. */
const elementsOfFrame = 100

/** The page's clock and frames. */
export interface Frames {
  readonly now: () => number
  readonly ask: (frame: () => void) => void
}

/** Does one thing after another, a little in each frame. */
export interface Work {
  /** Adds something to be done after all that was added before. */
  add(begin: () => Steps): void
  /** The same, but before all that is not {@link soon} itself: somebody looks at an empty place. */
  soon(begin: () => Steps): void
  /** The same, but only when nothing else is to be done. */
  later(begin: () => Steps): void
  /** Goes on when there may be more to do. */
  wake(): void
  /** Does now what can be done in so many milliseconds. */
  hurry(ms: number): void
  /** Whether nothing is left to do. */
  readonly idle: boolean
  /** Forgets all that is not done. */
  clear(): void
}

/** Builds it. `more` is asked for what comes next when all that was added is done; null: nothing; `putOff`: not yet. */
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

  // What can wait is done while what comes next is put off: else it would wait for ever, and keep what it is about.
  const next = (): Steps | null => {
    const begin = first.shift() ?? queue.shift()
    if (begin) return begin()
    const due = putOff() ? null : more()
    return due ?? rest.shift()?.() ?? (putOff() ? pause() : null)
  }
  /** Whether something is left. */
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
