import { AppError, toFailure } from '../../../../errors.ts'
import type { SegmentPatch, SegmentRecord, TakeRecord } from '../../store/speech-types.ts'
import { persist } from '../../../../platform/database/persist.ts'
import { neverSent, planRetry } from '../../../../work-queue/retry-policy.ts'
import { createCheck, isMissingText } from './check.ts'
import { createHolding } from './account-circuit-breaker.ts'
import { breathe } from './stepwise.ts'
import { createSpeak } from './synthesize.ts'
import type { SpeakingParts } from './types.ts'

export interface SpeechQueueDeps extends SpeakingParts {
  /** Returns the state of a segment without a pending request: done, stale or idle. */
  restStateOf(segment: SegmentRecord): 'done' | 'stale' | 'idle'
  /** Resets a narration without pending requests, except for these running segments. */
  rest(speechId: string, except: ReadonlySet<string>): Promise<void>
  /** Called when a segment has changed. */
  onSegment(segment: SegmentRecord): void
  /** Called when many segments of a narration have changed. */
  onMany(speechId: string): void
  /** Called when a narration has no more pending requests. */
  onSettled(speechId: string): void
}

/** Generates and verifies the requested segments, a few at a time per account, and stores each result. */
export interface SpeechQueue {
  /**
   * Starts everything that is due now; with an account requested by the user, even if it was unreachable a moment ago.
   */
  pump(accountId?: string): void
  /** Whether an account is unreachable, so that all its segments wait. */
  isHeld(accountId: string): boolean
  busy(): boolean
  /** Stops the segments of a narration; resolves when none of them is written any more. */
  stop(speechId: string): Promise<void>
  resume(): void
  /** Called when an account is available again. */
  wake(accountId: string): void
  shutdown(): Promise<void>
}

/** Maximum time in milliseconds that a stop waits for running work. */
const stopMs = 2_000

/** Creates the queue. States are stored in rows; this object only tracks what runs in this process. */
export function createSpeechQueue(deps: SpeechQueueDeps): SpeechQueue {
  const { store, clock } = deps
  const speak = createSpeak(deps)
  const check = createCheck(deps)
  const active = new Map<
    string,
    {
      readonly segment: SegmentRecord
      readonly stop: AbortController
      readonly done: Promise<void>
    }
  >()
  /**
   * Consecutive failures without sending a request, by segment: they lengthen the delay but do not count as attempts.
   */
  const unsent = new Map<string, number>()
  /** Narrations that are being stopped: no segment of them is started. */
  const stopping = new Set<string>()
  const closing = new AbortController()
  let cancelTimer: (() => void) | null = null

  const write = <T>(work: () => T): Promise<T> =>
    persist(work, closing.signal, (error) =>
      deps.log.warn('failed to save a segment of a narration, will retry', { code: error.code }),
    )
  const patch = (id: string, fields: SegmentPatch): SegmentRecord | undefined => {
    const segment = store.speech.changeSegment(id, fields)
    if (segment) deps.onSegment(segment)
    return segment
  }

  const holding = createHolding({
    store,
    write,
    active: () => [...active.keys()],
    signal: closing.signal,
    onMany(speechId) {
      deps.onMany(speechId)
      if (!store.speech.isOpen(speechId)) deps.onSettled(speechId)
    },
  })

  const pump = (): void => {
    if (closing.signal.aborted || !store.writable) return
    const now = clock()
    for (const accountId of store.speech.dueAccounts()) {
      if (holding.isHeld(accountId, now)) continue
      const lanes = store.accounts.get(accountId)?.profile.concurrency ?? 1
      const busy = [...active.values()].filter(
        ({ segment }) => (segment.accountId ?? '') === accountId,
      )
      const free = lanes - busy.length
      if (free <= 0) continue
      for (const segment of store.speech.due(accountId, now, [...active.keys()], free))
        if (!stopping.has(segment.speechId)) begin(segment)
    }
    plan(now)
  }

  /** Schedules the next check for the time of the next attempt. */
  const plan = (now: number): void => {
    cancelTimer?.()
    const { waiting, next } = holding.plan(now)
    deps.onWaiting(waiting)
    cancelTimer = next === Infinity ? null : deps.after(Math.max(50, next - now), () => pump())
  }

  const begin = (segment: SegmentRecord): void => {
    const stop = new AbortController()
    // Registered before the first step runs, so that a segment is never generated twice at the same time.
    const done = Promise.resolve()
      .then(() => run(segment, stop.signal))
      .catch((error: unknown) => {
        if (!closing.signal.aborted)
          deps.log.error('failed to finish a segment of a narration', { error })
      })
      .finally(() => {
        active.delete(segment.id)
        if (closing.signal.aborted) return
        pump()
        if (!store.speech.isOpen(segment.speechId)) deps.onSettled(segment.speechId)
      })
    active.set(segment.id, { segment, stop, done })
  }

  const run = async (begun: SegmentRecord, signal: AbortSignal): Promise<void> => {
    // Yields to the event loop, so that a thousand segments that fail at once do not block it.
    await breathe()
    let segment: SegmentRecord | undefined = begun
    while (segment && (segment.state === 'queued' || segment.state === 'checking')) {
      const now: SegmentRecord = segment
      try {
        if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
        segment = await (now.state === 'queued' ? speakOnce(now, signal) : checkOnce(now, signal))
      } catch (error) {
        await settle(now, error, signal)
        return
      }
    }
  }

  const speakOnce = async (
    segment: SegmentRecord,
    signal: AbortSignal,
  ): Promise<SegmentRecord | undefined> => {
    const begun = {
      state: 'speaking',
      attempts: segment.attempts + 1,
      error: null,
      nextTryAt: null,
    } as const
    const settings = store.speech.settings(segment.speechId)
    if (!settings || !(await write(() => patch(segment.id, begun)))) return undefined
    const { take: made, markSaved } = await speak(segment, settings, signal)
    reached(segment)
    const next = await write(() =>
      store.transaction(() => {
        const take = store.speech.addTake(made)
        store.speech.choose(segment.id, take.id)
        if (!take.reused) store.voices.used(take.accountId, take.voice.id, take.createdAt)
        if (settings.check && take.check === null)
          return patch(segment.id, { state: 'checking', attempts: 0 })
        return finish(segment.id, take)
      }),
    )
    // The received audio stays on disk until its row is written, in case of a crash.
    await markSaved()
    return next
  }
  const reached = (segment: SegmentRecord): void => {
    unsent.delete(segment.id)
    holding.release(segment.accountId ?? '')
  }

  const checkOnce = async (
    segment: SegmentRecord,
    signal: AbortSignal,
  ): Promise<SegmentRecord | undefined> => {
    const take = segment.take && store.speech.take(segment.take.id)
    if (!take) return write(() => patch(segment.id, { state: deps.restStateOf(segment) }))
    const accountId = segment.accountId ?? deps.activeAccountId()
    await write(() =>
      patch(segment.id, { attempts: segment.attempts + 1, error: null, nextTryAt: null }),
    )
    const found = await check(take, accountId, signal)
    reached(segment)
    return write(() =>
      store.transaction(() => {
        store.speech.setCheck(take.id, found)
        return finish(segment.id, { ...take, check: found })
      }),
    )
  }

  /**
   * Called after the last step of a take: generates it again if words are missing and that may help, otherwise selects the
   * best take of the request.
   */
  const finish = (segmentId: string, take: TakeRecord): SegmentRecord | undefined => {
    const segment = store.speech.segment(segmentId)
    const settings = segment && store.speech.settings(segment.speechId)
    if (!segment || !settings) return undefined
    if (take.seq >= segment.round && segment.again < settings.paidRetries && isMissingText(take))
      return patch(segmentId, {
        state: 'queued',
        fresh: true,
        again: segment.again + 1,
        attempts: 0,
      })
    const best = bestOf(store.speech.takes(segmentId).filter(({ seq }) => seq >= segment.round))
    if (best) store.speech.choose(segmentId, best.id)
    const now = store.speech.segment(segmentId)
    return now && patch(segmentId, { state: deps.restStateOf(now), attempts: 0, fresh: false })
  }

  /** Stores how a step failed and what follows: an automatic retry, a request to the user, or nothing. */
  const settle = async (
    segment: SegmentRecord,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> => {
    const checking = segment.state === 'checking'
    if (signal.aborted) {
      // A shutdown leaves the work to the next start; a stop is final.
      const left = closing.signal.aborted
        ? checking
          ? 'checking'
          : 'queued'
        : deps.restStateOf(segment)
      await write(() => patch(segment.id, { state: left, nextTryAt: null, error: null }))
      return
    }
    if (!(error instanceof AppError))
      deps.log.error('failed to generate speech for a segment', { error })
    const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
    const failure = toFailure(known, clock())
    const attempts = segment.attempts + 1
    const never = neverSent(known)
    const inARow = never ? (unsent.get(segment.id) ?? 0) + 1 : 0
    unsent.set(segment.id, inARow)
    const next = planRetry(known, attempts, inARow)
    const accountId = segment.accountId ?? ''
    if (next.state === 'waiting') {
      if (never) holding.hold(accountId, clock() + next.delayMs)
      const again = {
        nextTryAt: clock() + next.delayMs,
        error: failure,
        attempts: never ? segment.attempts : attempts,
      }
      await write(() => patch(segment.id, { state: checking ? 'checking' : 'queued', ...again }))
      return
    }
    unsent.delete(segment.id)
    await write(() =>
      store.transaction(() => {
        if (!checking)
          return patch(segment.id, { state: 'failed', error: failure, nextTryAt: null })
        const take = segment.take && store.speech.take(segment.take.id)
        if (!take) return undefined
        const engine = store.accounts.get(segment.accountId ?? '')?.name ?? ''
        const unchecked = { state: 'unchecked', reason: 'failed', engine, error: failure } as const
        store.speech.setCheck(take.id, unchecked)
        return finish(segment.id, { ...take, check: unchecked })
      }),
    )
    await holding.failRest(accountId, failure)
  }

  return {
    pump(accountId) {
      if (accountId !== undefined) holding.release(accountId)
      pump()
    },
    isHeld: (accountId) => holding.isHeld(accountId, clock()),
    busy: () => active.size > 0,
    async stop(speechId) {
      const running = [...active.values()].filter(({ segment }) => segment.speechId === speechId)
      stopping.add(speechId)
      try {
        for (const { stop } of running) stop.abort()
        await deps.rest(speechId, new Set(active.keys()))
        const late = new Promise((resolve) => setTimeout(resolve, stopMs).unref())
        await Promise.race([Promise.all(running.map(({ done }) => done)), late])
      } finally {
        stopping.delete(speechId)
      }
    },
    resume() {
      store.speech.requeue()
      pump()
    },
    wake(accountId) {
      holding
        .wake(accountId, (segmentId) => patch(segmentId, { nextTryAt: null }))
        .then(pump)
        .catch((error: unknown) => {
          if (!closing.signal.aborted)
            deps.log.error('failed to resume the segments of narrations', { error })
        })
    },
    async shutdown() {
      closing.abort()
      cancelTimer?.()
      for (const { stop } of active.values()) stop.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}

/**
 * Returns the take with the best verification score; the newest of equal ones. An unverified take counts as neither good
 * nor bad.
 */
function bestOf(takes: readonly TakeRecord[]): TakeRecord | undefined {
  const scoreOf = ({ check }: TakeRecord): number => (check?.state === 'heard' ? check.score : 0.5)
  return takes.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.seq - a.seq)[0]
}
