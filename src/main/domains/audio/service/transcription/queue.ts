import { AppError, toFailure } from '../../../../errors.ts'
import type { SegmentRecord } from '../../store/meetings-types.ts'
import { waitBriefly } from '../../../../work-queue/wait-briefly.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'
import { createGate, type Gate } from '../../../../work-queue/account-gate.ts'
import { isDue } from '../../../../platform/database/due.ts'
import {
  isOwn,
  newMeetingQueue,
  refresh,
  splitLongestRun,
  take,
  type MeetingQueue,
  type Run,
} from './meeting-queue.ts'
import { planPartRetry } from '../../../../work-queue/retry-policy.ts'
import { createSegmentWorker, type SegmentWorkerDeps } from './segment-worker.ts'

export interface QueueDeps extends SegmentWorkerDeps {
  random(): number
}

/**
 * Sends waiting segments, a few at a time for each account. States are rows; this object only holds what is in flight in this
 * process.
 */
export interface Queue {
  /** Checks for work on this meeting. */
  nudge(id: string): void
  /** Sends what the account or the network blocked. */
  wake(accountId: string): void
  resume(): void
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

interface Active {
  readonly run: Run
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Attempts after which a segment that was in flight at a crash is not sent again automatically. */
const deadlyAttempts = 10
/** Maximum random addition to a wait, in milliseconds. */
const jitterMs = 1_000

export function createQueue(deps: QueueDeps): Queue {
  const { clock, log } = deps
  const store = deps.store.meetings
  const queues = new Map<string, MeetingQueue>()
  const gates = new Map<string, Gate>()
  const active = new Map<string, Active>()
  const closing = new AbortController()
  const hand = createSegmentWorker(deps, closing.signal)
  let planned = false
  let callOff: (() => void) | null = null
  let reportedWaiting = 0
  let turns = 0

  const gateOf = (accountId: string): Gate => {
    const known = gates.get(accountId)
    if (known) return known
    const made = createGate(clock)
    gates.set(accountId, made)
    return made
  }
  const placesOf = (accountId: string): number =>
    Math.max(1, deps.store.accounts.get(accountId)?.profile.concurrency ?? 1)
  const inFlight = (accountId: string): number =>
    Array.from(active.values()).filter(({ run }) => run.accountId === accountId).length

  /** Schedules a search for segments to send; several calls in a row result in one search. */
  const kick = (): void => {
    if (planned || closing.signal.aborted) return
    planned = true
    queueMicrotask(() => {
      planned = false
      try {
        pump()
      } catch (error) {
        if (!isStoreProblem(error)) log.error('transcription queue failed', { error })
        again(1_000)
      }
    })
  }
  const again = (ms: number): void => {
    callOff?.()
    callOff = deps.after(ms, kick)
  }

  const pump = (): void => {
    if (closing.signal.aborted) return
    for (const queue of queues.values()) if (queue.stale) refreshed(queue)
    const accounts = new Set(
      Array.from(queues.values()).flatMap(({ runs }) => runs.map((run) => run.accountId)),
    )
    for (const accountId of accounts) fill(accountId)
    const next = soonest(Array.from(queues.values()), gates, clock())
    if (next !== null) again(next)
    reportWaiting()
  }

  const refreshed = (queue: MeetingQueue): void => {
    const binned = deps.store.items.summary(queue.id)?.deletedAt !== null
    if (!binned) refresh(queue, store, placesOf)
    if (binned || (queue.runs.length === 0 && !queue.live)) queues.delete(queue.id)
  }

  /** Uses the free slots of an account. */
  const fill = (accountId: string): void => {
    const gate = gateOf(accountId)
    for (let flying = inFlight(accountId); flying < placesOf(accountId); flying++) {
      const run = nextRun(Array.from(queues.values()), accountId, clock()) ?? stolen(accountId)
      if (!run || !gate.admits(flying)) return
      const queue = queues.get(run.run.meetingId)
      if (queue) send(queue, run.run, run.segmentId)
    }
  }

  /** Takes work from a queue in use if a slot would stay empty. */
  const stolen = (accountId: string): ReturnType<typeof nextRun> => {
    if (gateOf(accountId).closed !== null) return null
    const mine = Array.from(queues.values()).filter((queue) => queue.accountId === accountId)
    return mine.some((queue) => splitLongestRun(queue)) ? nextRun(mine, accountId, clock()) : null
  }

  const send = (queue: MeetingQueue, run: Run, segmentId: string): void => {
    const controller = new AbortController()
    run.busy = segmentId
    queue.turn = turns += 1
    // Registered before the first step runs, so that a segment can never be sent twice.
    const done = Promise.resolve()
      .then(() => attempt(queue, run, segmentId, controller.signal))
      .catch((error: unknown) => {
        take(queue, segmentId)
        if (!isStoreProblem(error) && !closing.signal.aborted)
          log.error('failed to transcribe a segment', { error })
      })
      .finally(() => {
        active.delete(segmentId)
        run.busy = null
        gateOf(run.accountId).landed()
        // The meeting was assigned to another account meanwhile: the rest of this queue is planned again.
        const given = !run.again && !isOwn(queue, run)
        if (given) queue.stale = true
        if (given || run.ids.length === 0) queue.runs = queue.runs.filter((one) => one !== run)
        kick()
      })
    active.set(segmentId, { run, controller, done })
  }

  const attempt = async (
    queue: MeetingQueue,
    run: Run,
    segmentId: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const row = store.segment(segmentId)
    const wanted = run.again ? row?.again : row?.state === 'pending'
    if (!row || !wanted) return take(queue, segmentId)
    const begun = await hand.begin(row)
    try {
      await hand.transcribe(queue, begun, run.accountId, signal)
      run.limited = 0
      take(queue, segmentId)
      if (gateOf(run.accountId).opened()) accountRecovered(run.accountId)
    } catch (error) {
      if (signal.aborted || closing.signal.aborted) await hand.putBack(begun)
      else if (isStoreProblem(error)) throw error
      else await failed(queue, run, begun, error)
    }
    return undefined
  }

  const failed = async (
    queue: MeetingQueue,
    run: Run,
    row: SegmentRecord,
    thrown: unknown,
  ): Promise<void> => {
    if (!(thrown instanceof AppError))
      log.error('failed to transcribe a segment', { error: thrown })
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error')
    const gate = gateOf(run.accountId)
    const failure = toFailure(error, clock())
    const counts = {
      attempts: row.attempts,
      offline: gate.failures,
      limited: run.limited,
      isOneOperation: true,
    }
    const next = planPartRetry(error, counts)
    if (next.type === 'failed') {
      if (error.retriable) gate.failed(row.id, 2_000, failure)
      else if (error.service && gate.opened()) accountRecovered(run.accountId)
      take(queue, row.id)
      await hand.giveUp(row, failure)
      return
    }
    if (next.type === 'offline' || next.type === 'account') {
      gate.close(next.type, next.delayMs, failure)
      if (next.type === 'account') blame(run.accountId, failure)
      queue.due.set(row.id, 0)
      await hand.wait(row, failure, { nextTryAt: null, counts: false })
      return
    }
    // Jitter, so that queues that failed together do not retry together.
    const nextTryAt = clock() + next.delayMs + Math.round(deps.random() * jitterMs)
    queue.due.set(row.id, nextTryAt)
    if (next.type === 'limited') {
      run.limited += 1
      run.blockedUntil = nextTryAt
      if (gate.opened()) accountRecovered(run.accountId)
    } else gate.failed(row.id, next.delayMs, failure)
    await hand.wait(row, failure, { nextTryAt, counts: next.type === 'again' })
  }

  /** Shows an account's problem in the meetings that wait for it. */
  const blame = (accountId: string, failure: ReturnType<typeof toFailure> | null): void => {
    for (const queue of queues.values()) {
      if (!queue.runs.some((run) => run.accountId === accountId)) continue
      hand.meetingError(queue.id, failure)
    }
  }
  const accountRecovered = (accountId: string): void => {
    blame(accountId, null)
    kick()
  }

  const reportWaiting = (): void => {
    let waiting = 0
    for (const { runs } of queues.values())
      for (const run of runs)
        if (gates.get(run.accountId)?.closed === 'offline') waiting += run.ids.length
    if (waiting === reportedWaiting) return
    reportedWaiting = waiting
    deps.events.onWaiting(waiting)
  }

  const nudge = (id: string): void => {
    const queue = queues.get(id) ?? newMeetingQueue(id)
    queue.stale = true
    queues.set(id, queue)
    kick()
  }

  return {
    nudge,
    wake(accountId) {
      gates.get(accountId)?.wake()
      kick()
    },
    resume() {
      for (const id of store.withWork()) {
        for (const row of store.work(id, ['inflight'])) {
          if (row.state !== 'inflight' || active.has(row.id)) continue
          // The process ended while it was in flight: its response was not stored, so it is sent again.
          if (row.attempts < deadlyAttempts) store.updateSegment(row.id, { state: 'pending' })
          else {
            const error = new AppError(
              'INTERNAL',
              'Lectern quit each time it transcribed this segment',
            )
            const failure = toFailure(error, clock())
            store.updateSegment(row.id, { state: 'failed', error: failure, nextTryAt: null })
          }
        }
        nudge(id)
      }
    },
    async forget(ids) {
      const gone = new Set(ids)
      for (const id of ids) queues.delete(id)
      const mine = Array.from(active.values()).filter(({ run }) => gone.has(run.meetingId))
      for (const { controller } of mine) controller.abort()
      await waitBriefly(Promise.all(mine.map(({ done }) => done)))
      reportWaiting()
    },
    busy: () => active.size > 0,
    async shutdown() {
      closing.abort()
      callOff?.()
      for (const { controller } of active.values()) controller.abort()
      await Promise.all(Array.from(active.values(), ({ done }) => done))
    },
  }
}

/** The queue and segment to send next. */
interface Turn {
  readonly run: Run
  readonly segmentId: string
}

/**
 * Returns the next segment of an account: first transcriptions before another pass, live meetings before others, then the meeting
 * with the fewest segments in flight, then the one that waited longest, then the earliest moment. Within a queue, the first that
 * need not wait.
 */
function nextRun(queues: readonly MeetingQueue[], accountId: string, now: number): Turn | null {
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
function soonest(
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
