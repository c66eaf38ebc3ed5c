import type { Log } from '../../deps.ts'

/** Milliseconds between two steps: user actions go first. */
const pauseMs = 5

/** Pending work, done step by step. */
interface Backlog {
  /** Starts or continues; safe to call at any time. */
  begin(): void
  stop(): void
}

/**
 * Runs steps until `step` returns false (nothing left), each in its own turn. A step that throws stops the work until the
 * next `begin`.
 */
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
      // The file is being repaired, or the disk is full: the rest is done after the next change or start.
      log.warn('The remaining work of a large change failed', { error: String(error) })
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
 * Alternates two kinds of work, so that neither waits for the other to finish: merging index segments while they are few
 * costs a tenth of merging hundreds at once. Returns false when neither has anything left.
 */
export function inTurns(one: () => boolean, other: () => boolean): () => boolean {
  let turn = false
  return () => {
    turn = !turn
    const [mine, theirs] = turn ? [one, other] : [other, one]
    return mine() || theirs()
  }
}
