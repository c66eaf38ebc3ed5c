import type { Failure } from '../../../shared/bridge/reply.ts'
import { halves } from '../../../shared/document/plan.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { toFailure, type AppError } from '../../errors.ts'
import type { DocumentsStore, PartRecord } from '../../store/documents-types.ts'
import { planNext } from '../meetings/transcription/plan.ts'
import { isStoreProblem } from '../transcribe/persist.ts'
import type { UploadAccounts } from './upload-accounts.ts'
import type { PartWorker, Outcome } from './part-worker.ts'
import { isTooLarge, isUnclear, isUnreadable } from './document-errors.ts'

export interface OutcomesDeps {
  readonly store: DocumentsStore
  readonly workers: UploadAccounts
  readonly hand: Pick<PartWorker, 'drop'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  random(): number
}

/** Decides what follows after a part was sent, and stores the decision. */
export interface Outcomes {
  settle(part: PartRecord, outcome: Exclude<Outcome, { type: 'locked' }>): void
  /** Marks the pages of a part as failed. */
  giveUp(part: PartRecord, failure: Failure): void
}

/** Maximum milliseconds added to a wait, so that parts that failed together do not retry together. */
const jitterMs = 1_000
/** Number of attempts to write a part's file, and the delay before the next one, in milliseconds. */
const writings = 3
const writingPauseMs = 5_000

/** Creates the rules: those for segments of a meeting (`planNext`), extended because a part can be made smaller. */
export function createOutcomes(deps: OutcomesDeps): Outcomes {
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
    const next = planNext(error, { attempts, offline: gate.failures, limited: pace.refusals })
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
