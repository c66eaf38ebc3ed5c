import type { Failure } from '../../../../shared/contract/reply.ts'
import { halves } from '../../../../shared/documents/plan.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import { toFailure, type AppError } from '../../../errors.ts'
import type { PartRecord, DocumentsStore } from '../store/documents-types.ts'
import type { Store } from '../../../library-database/types.ts'
import { planPartRetry } from '../../../work-queue/retry-policy.ts'
import { waitBriefly } from '../../../work-queue/status-poller.ts'
import { isStoreProblem, persist } from '../../../platform/database/persist.ts'
import { isTooLarge, isUnclear, isUnreadable } from './document-errors.ts'
import {
  createPartWorker,
  type PartWorkerDeps,
  type PartWorker,
  type Outcome,
} from './part-worker.ts'
import { createUploadAccounts, type UploadAccounts } from './upload-accounts.ts'

export interface QueueDeps extends PartWorkerDeps {
  readonly store: Pick<Store, 'documents' | 'accounts' | 'settings'>
  random(): number
  after(ms: number, work: () => void): () => void
  /** Called when the status of pages `first` to `last` of a version may have changed. */
  onPart(part: Pick<PartRecord, 'documentId' | 'versionId' | 'first' | 'last'>): void
  /** Called after a response was stored. */
  onReply(documentId: string): void
  /** Called when an account's problem starts or ends, or when a document waits for its password. */
  onTrouble(): void
}

/**
 * Sends waiting parts, a few at a time for each account. States are rows; this object contains only what is in flight in
 * this process.
 */
export interface Queue {
  /** Schedules a check for parts to send. */
  kick(): void
  /** Allows parts that were blocked by the account or the network to be sent. */
  wake(accountId: string): void
  /** Returns why nothing is sent to an account; null when parts are sent. */
  trouble(accountId: string): Failure | null
  /** Returns the accounts that cannot be reached without a network. */
  offline(): ReadonlySet<string>
  /** Whether the parts of a document wait for its password. */
  isLocked(documentId: string): boolean
  /** Called when the password was entered or the document was restored from Trash. */
  release(documentId: string): void
  /** Aborts what is in flight for a version that was canceled. */
  cancel(versionId: string): Promise<void>
  /** Stops what is in flight for these documents; their parts wait. */
  forget(documentIds: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

interface Active {
  readonly part: PartRecord
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Delay in milliseconds before the next check after a store failure. */
const problemMs = 1_000

export function createQueue(deps: QueueDeps): Queue {
  const { clock, log } = deps
  const store = deps.store.documents
  const active = new Map<string, Active>()
  /** Parts of documents that are locked or about to be deleted, mapped to their document. */
  const held = new Map<string, string>()
  const locked = new Set<string>()
  const leaving = new Set<string>()
  const closing = new AbortController()
  const workers = createUploadAccounts(
    deps.store.accounts,
    clock,
    () => deps.store.settings.get().partRequests,
    deps.onTrouble,
  )
  const hand = createPartWorker(deps, closing.signal)
  const outcomes = createOutcomes({ ...deps, store, workers, hand })
  let planned = false
  let callOff: (() => void) | null = null

  const kick = (): void => {
    if (planned || closing.signal.aborted) return
    planned = true
    queueMicrotask(() => {
      planned = false
      if (closing.signal.aborted) return
      try {
        pump()
      } catch (error) {
        if (!isStoreProblem(error)) log.error('document queue failed', { error })
        again(problemMs)
      }
    })
  }
  const again = (ms: number): void => {
    callOff?.()
    callOff = deps.after(ms, kick)
  }
  const inFlight = (accountId: string): number =>
    Array.from(active.values()).filter(({ part }) => part.accountId === accountId).length

  const pump = (): void => {
    const passed = new Set<string>()
    for (;;) {
      const part = store.next({
        at: clock(),
        exceptParts: [...active.keys(), ...held.keys()],
        exceptAccounts: Array.from(passed),
      })
      if (!part) break
      if (leaving.has(part.documentId)) hold(part)
      else if (workers.admits(part.accountId, inFlight(part.accountId))) start(part)
      else passed.add(part.accountId)
    }
    const now = clock()
    const next = Math.min(workers.soonest(passed) ?? Infinity, store.nextTime(now) ?? Infinity)
    if (next !== Infinity) again(Math.max(0, next - now))
  }

  /** Prevents the parts of a version from being requested repeatedly. */
  const hold = (part: PartRecord): void => {
    for (const { id, state } of store.parts(part.versionId))
      if (state === 'queued') held.set(id, part.documentId)
    held.set(part.id, part.documentId)
  }

  const start = (part: PartRecord): void => {
    const controller = new AbortController()
    // Registered before the first step runs, so that a part can never be sent twice.
    const done = Promise.resolve()
      .then(() => attempt(part, controller.signal))
      .then(() => 0)
      .catch(async (error: unknown) => {
        if (closing.signal.aborted) return 0
        if (!isStoreProblem(error)) log.error('failed to send a part', { error })
        const stopped = AbortSignal.any([closing.signal, controller.signal])
        await persist(
          () => putRight(part, error),
          stopped,
          () => undefined,
        )
        return problemMs
      })
      .catch(() => problemMs)
      .then((pauseMs) => {
        active.delete(part.id)
        workers.of(part.accountId).gate.landed()
        if (pauseMs === 0) kick()
        else if (!closing.signal.aborted) again(pauseMs)
      })
    active.set(part.id, { part, controller, done })
  }

  /** Handles a part whose result could not be stored: it must not remain marked as sent, since nothing would process it again. */
  const putRight = (part: PartRecord, error: unknown): void => {
    const failure = toFailure(error, clock())
    if (!isStoreProblem(error)) outcomes.giveUp(part, failure)
    else if (store.part(part.id)?.state === 'sent') store.fail(part.id, failure, clock())
  }

  const attempt = async (part: PartRecord, signal: AbortSignal): Promise<void> => {
    const outcome = await hand.send(part, signal, () => deps.onPart(part))
    if (closing.signal.aborted) return
    if (outcome.type === 'locked') {
      hold(part)
      locked.add(part.documentId)
      deps.onTrouble()
      return
    }
    outcomes.settle(part, outcome)
    deps.onPart(part)
    if (outcome.type === 'done') deps.onReply(part.documentId)
  }

  const stop = async (which: (part: PartRecord) => boolean): Promise<readonly string[]> => {
    const mine = Array.from(active.values()).filter(({ part }) => which(part))
    for (const { controller } of mine) controller.abort()
    await waitBriefly(Promise.all(mine.map(({ done }) => done)))
    return mine.map(({ part }) => part.id)
  }

  return {
    kick,
    wake(accountId) {
      workers.wake(accountId)
      kick()
    },
    trouble: (accountId) => workers.trouble(accountId),
    offline: () => workers.offline(),
    isLocked: (documentId) => locked.has(documentId),
    release(documentId) {
      locked.delete(documentId)
      leaving.delete(documentId)
      for (const [partId, owner] of held) if (owner === documentId) held.delete(partId)
      kick()
    },
    async cancel(versionId) {
      await hand.drop(store.parts(versionId).map(({ id }) => id))
      await stop((part) => part.versionId === versionId)
      kick()
    },
    async forget(documentIds) {
      const gone = new Set(documentIds)
      for (const id of gone) leaving.add(id)
      const stopped = await stop((part) => gone.has(part.documentId))
      for (const id of stopped) if (store.part(id)?.state === 'sent') store.putBack(id)
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

interface OutcomesDeps {
  readonly store: DocumentsStore
  readonly workers: UploadAccounts
  readonly hand: Pick<PartWorker, 'drop'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  random(): number
}

/** Decides what follows after a part was sent, and stores the decision. */
interface Outcomes {
  settle(part: PartRecord, outcome: Exclude<Outcome, { type: 'locked' }>): void
  /** Marks the pages of a part as failed. */
  giveUp(part: PartRecord, failure: Failure): void
}

/** Maximum milliseconds added to a wait, so that parts that failed together do not retry together. */
const jitterMs = 1_000
/** Number of attempts to write a part's file, and the delay before the next one, in milliseconds. */
const writings = 3
const writingPauseMs = 5_000

/** Creates the rules: those for segments of a meeting (`planPartRetry`), extended because a part can be made smaller. */
function createOutcomes(deps: OutcomesDeps): Outcomes {
  const { store, workers, clock } = deps
  const giveUp = (part: PartRecord, failure: Failure): void => {
    const state = store.part(part.id)?.state
    if (state === 'queued' || state === 'sent') store.fail(part.id, failure, null)
    void deps.hand.drop([part.id])
  }
  const tryAgain = (
    part: PartRecord,
    failure: Failure,
    delayMs: number,
    counts: boolean,
  ): number => {
    const at = clock() + delayMs + Math.round(deps.random() * jitterMs)
    store.fail(part.id, failure, at, counts)
    return at
  }
  /** Number of failures of this part including this one: counted in its row, so that a restart does not reset the count. */
  const failuresOf = (part: PartRecord): number => (store.part(part.id)?.failures ?? 0) + 1

  /** Handles a file that could not be created, which says nothing about the account. */
  const unwritten = (part: PartRecord, error: AppError): void => {
    if (error.code === 'CANCELLED') return
    if (error.code === 'INTERNAL') deps.log.error('failed to write a part', { error: error.cause })
    const failure = toFailure(error, clock())
    if (isUnreadable(error)) return apart(part, failure)
    const passes = error.retriable || isStoreProblem(error)
    if (passes && failuresOf(part) < writings) tryAgain(part, failure, writingPauseMs, true)
    else giveUp(part, failure)
  }

  /** Halves a part that is too large or whose pages cannot be identified; a single page is sent once as an image. */
  const smaller = (part: PartRecord, failure: Failure): void => {
    void deps.hand.drop([part.id])
    const two = halves(part)
    if (two)
      store.split(
        part.id,
        two.map((half) => ({ ...half, id: deps.ids(), bytes: null })),
      )
    else if (part.error && isTooLarge(part.error)) giveUp(part, failure)
    else store.fail(part.id, failure, clock())
  }

  /** Halves a part that contains an unreadable page, until that page is alone and fails alone. */
  const apart = (part: PartRecord, failure: Failure): void => {
    if (halves(part)) smaller(part, failure)
    else giveUp(part, failure)
  }

  const later = (part: PartRecord, error: AppError, failure: Failure, delayMs: number): void => {
    const at = tryAgain(part, failure, delayMs, true)
    // A failure like any other, and the provider requests a lower rate.
    if (error.code === 'OVERLOADED') workers.of(part.accountId).pace.limited(at)
  }

  const failed = (part: PartRecord, error: AppError, sent: boolean): void => {
    const failure = toFailure(error, clock())
    const { accountId } = part
    if (isTooLarge(error) || isUnclear(error)) {
      workers.answered(accountId)
      return smaller(part, failure)
    }
    if (isUnreadable(error)) {
      if (error.service) workers.answered(accountId)
      return apart(part, failure)
    }
    const { gate, pace } = workers.of(accountId)
    const attempts = failuresOf(part)
    const next = planPartRetry(error, { attempts, offline: gate.failures, limited: pace.refusals })
    switch (next.type) {
      case 'offline':
        workers.close(accountId, 'offline', next.delayMs, failure)
        if (sent) store.putBack(part.id)
        break
      case 'account':
        workers.close(accountId, 'account', next.delayMs, failure)
        if (sent) store.fail(part.id, failure, clock())
        break
      case 'limited':
        workers.answered(accountId)
        pace.limited(tryAgain(part, failure, next.delayMs, false))
        break
      case 'again':
        gate.failed(part.id, next.delayMs, failure)
        later(part, error, failure, next.delayMs)
        break
      case 'failed':
        if (error.retriable) gate.failed(part.id, 2_000, failure)
        else if (error.service) workers.answered(accountId)
        giveUp(part, failure)
        break
    }
    return undefined
  }

  return {
    giveUp,
    settle(part, outcome) {
      switch (outcome.type) {
        case 'done':
          workers.of(part.accountId).pace.fine()
          workers.answered(part.accountId)
          break
        case 'unwritten':
          unwritten(part, outcome.error)
          break
        case 'failed':
          failed(part, outcome.error, outcome.sent)
          break
        case 'split':
        case 'gone':
          break
      }
    },
  }
}
