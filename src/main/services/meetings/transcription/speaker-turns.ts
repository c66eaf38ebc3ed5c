import type { MeetingQueue, Run } from './meeting-queue.ts'
import { isDue } from './due.ts'
import type { Gate } from './account-gate.ts'

/** The queue and segment to send next. */
export interface Turn {
  readonly run: Run
  readonly segmentId: string
}

/**
 * Returns the next segment of an account: first transcriptions before another pass, live meetings before others, then the meeting
 * with the fewest segments in flight, then the one that waited longest, then the earliest moment. Within a queue, the first that
 * need not wait.
 */
export function nextRun(
  queues: readonly MeetingQueue[],
  accountId: string,
  now: number,
): Turn | null {
  let best: { readonly turn: Turn; readonly rank: readonly number[] } | null = null
  for (const queue of queues) {
    const flying = queue.runs.filter(({ busy }) => busy !== null).length
    for (const [index, run] of queue.runs.entries()) {
      if (run.accountId !== accountId || run.busy !== null) continue
      if (!isDue(run.blockedUntil, now)) continue
      const segmentId = run.ids.find((id) => isDue(queue.due.get(id) ?? 0, now))
      if (segmentId === undefined) continue
      const rank = [run.again ? 1 : 0, queue.live ? 0 : 1, flying, queue.turn, index]
      if (best === null || isBefore(rank, best.rank)) best = { turn: { run, segmentId }, rank }
    }
  }
  return best?.turn ?? null
}

const isBefore = (a: readonly number[], b: readonly number[]): boolean => {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    if (value !== other) return value < other
  }
  return false
}

/** Milliseconds until the next timed wait ends; null if there is none. */
export function soonest(
  queues: readonly MeetingQueue[],
  gates: ReadonlyMap<string, Gate>,
  now: number,
): number | null {
  const ahead = (moment: number): number => (isDue(moment, now) ? 0 : moment)
  let at = Infinity
  for (const queue of queues) {
    for (const run of queue.runs) {
      if (run.busy !== null) continue
      const gate = gates.get(run.accountId)
      // A closed gate that only the user can open has no time.
      const opens = gate?.closed ? gate.nextAt : 0
      if (opens === null) continue
      const due = run.ids.reduce(
        (min, id) => Math.min(min, ahead(queue.due.get(id) ?? 0)),
        Infinity,
      )
      const earliest = Math.max(ahead(opens), ahead(run.blockedUntil), due)
      if (earliest > now) at = Math.min(at, earliest)
    }
  }
  return at === Infinity ? null : at - now
}
