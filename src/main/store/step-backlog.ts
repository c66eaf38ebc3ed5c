import type { Log } from '../deps.ts'

/** Milliseconds between two steps: what the user does goes first. */
const pauseMs = 5

/** Work that is left to do, step by step. */
export interface Backlog {
  /** Begins, or goes on; safe to call at any time. */
  begin(): void
  stop(): void
}

/** Does steps of work until `step` says that nothing is left (false), each in a turn of its own. A step that throws ends it until the next `begin`. */
export function backlog(step: () => boolean, log: Log): Backlog {
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  function plan(): void {
    timer = setTimeout(run, pauseMs)
    timer.unref()
  }
  function run(): void {
    timer = null
    try {
      if (step()) plan()
    } catch (error) {
      // The file was taken away for repair, or the disk is full: what is left is done after the next change or start.
      log.warn('What large changes left could not be done', { error: String(error) })
    }
  }
  return {
    begin() {
      if (!stopped && timer === null) plan()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}

/**
 * Two kinds of work that take turns, so that neither waits for the end of the other: pieces of the index that are merged while they
 * are few cost a tenth of what hundreds of them cost at once. False when neither has anything left.
 */
export function inTurns(one: () => boolean, other: () => boolean): () => boolean {
  let turn = false
  return () => {
    turn = !turn
    const [mine, theirs] = turn ? [one, other] : [other, one]
    return mine() || theirs()
  }
}
