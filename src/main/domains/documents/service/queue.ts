import type { Failure } from '../../../../shared/contract/reply.ts'
import { halves } from '../../../../shared/documents/plan.ts'
import { toFailure, type AppError } from '../../../errors.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { PartRecord } from '../store/documents-types.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Executed, WorkQueue } from '../../../work-queue/work-queue.ts'
import { isTooLarge, isUnclear, isUnreadable } from './document-errors.ts'
import { createPartWorker, type PartWorkerDeps } from './part-worker.ts'

interface QueueDeps extends PartWorkerDeps {
  readonly store: Pick<Store, 'documents' | 'accounts' | 'settings'>
  readonly workQueue: WorkQueue
  /** Called when the status of pages `first` to `last` of a version may have changed. */
  onPart(part: Pick<PartRecord, 'documentId' | 'versionId' | 'first' | 'last'>): void
  /** Called after a response was stored. */
  onReply(documentId: string): void
  /** Called when an account's problem starts or ends, or when a document waits for its password. */
  onTrouble(): void
}

/** Sends waiting parts, a few at a time for each account. */
interface Queue {
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

/** Number of attempts to write a part's file, and the delay before the next one, in milliseconds. */
const writings = 3
const writingPauseMs = 5_000

export function createQueue(deps: QueueDeps): Queue {
  const { clock } = deps
  const store = deps.store.documents
  const locked = new Set<string>()
  const closing = new AbortController()
  const worker = createPartWorker(deps, closing.signal)

  const isOpen = (part: PartRecord): boolean => {
    const state = store.part(part.id)?.state
    return state === 'queued' || state === 'sent'
  }
  const giveUp = (part: PartRecord, failure: Failure): void => {
    if (isOpen(part)) store.fail(part.id, failure, null)
    void worker.drop([part.id])
  }
  /** Number of failures of this part including this one: counted in its row, so that a restart does not reset the count. */
  const failuresOf = (part: PartRecord): number => (store.part(part.id)?.failures ?? 0) + 1

  /** Halves a part that is too large or whose pages cannot be identified; a single page is sent once as an image. */
  const smaller = (part: PartRecord, failure: Failure): void => {
    void worker.drop([part.id])
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

  /** Handles a file that could not be created, which says nothing about the account. */
  const unwritten = (part: PartRecord, error: AppError): void => {
    if (error.code === 'CANCELLED') return
    if (error.code === 'INTERNAL') deps.log.error('failed to write a part', { error: error.cause })
    const failure = toFailure(error, clock())
    if (isUnreadable(error)) return apart(part, failure)
    const passes = error.retriable || isStoreProblem(error)
    if (passes && failuresOf(part) < writings)
      store.fail(part.id, failure, clock() + writingPauseMs, true)
    else giveUp(part, failure)
  }

  /** Handles a failure that a smaller part may avoid; others are those of the queue. */
  const failed = (part: PartRecord, error: AppError): Executed => {
    const failure = toFailure(error, clock())
    if (isTooLarge(error) || isUnclear(error)) {
      smaller(part, failure)
      return 'responded'
    }
    if (!isUnreadable(error)) throw error
    apart(part, failure)
    return error.service ? 'responded' : 'unsent'
  }

  const lock = (part: PartRecord): void => {
    work.pause(part.documentId)
    locked.add(part.documentId)
    deps.onTrouble()
  }
  const execute = async (part: PartRecord, signal: AbortSignal): Promise<Executed> => {
    const outcome = await worker.send(part, signal, () => deps.onPart(part))
    if (closing.signal.aborted) return 'unsent'
    switch (outcome.type) {
      case 'locked':
        lock(part)
        return 'unsent'
      case 'unwritten':
        unwritten(part, outcome.error)
        break
      case 'failed': {
        const executed = failed(part, outcome.error)
        deps.onPart(part)
        return executed
      }
      case 'done':
        deps.onPart(part)
        deps.onReply(part.documentId)
        return 'done'
      case 'split':
      case 'gone':
        break
    }
    deps.onPart(part)
    return 'unsent'
  }

  const work = deps.workQueue.add<PartRecord>({
    about: 'part',
    isOneOperation: true,
    id: ({ id }) => id,
    group: ({ documentId }) => documentId,
    // The user orders the documents.
    takesTurns: false,
    priority: ({ priority }) => priority,
    accounts: () => store.accounts(),
    // More at once are not faster, but make cancels more expensive (notes R2).
    size: (accountId) =>
      Math.min(
        deps.store.settings.get().partRequests,
        deps.store.accounts.get(accountId)?.profile.concurrency ?? 1,
      ),
    next: ({ accountId, at, except, exceptGroups }) =>
      store.next({ accountId, at, exceptParts: except, exceptDocuments: exceptGroups }),
    nextTime: (after) => store.nextTime(after),
    execute,
    // Nothing else counts while it is in flight.
    attempts: ({ failures }) => failures + 1,
    wait(part, failure, { why, at }) {
      const isSent = store.part(part.id)?.state === 'sent'
      if (why === 'limited' || why === 'again') {
        if (isOpen(part)) store.fail(part.id, failure, at, why === 'again')
      } else if (why === 'offline') {
        if (isSent) store.putBack(part.id)
      } else if (isSent) store.fail(part.id, failure, at ?? clock())
      deps.onPart(part)
    },
    fail(part, failure) {
      giveUp(part, failure)
      deps.onPart(part)
    },
    stopped(part) {
      if (store.part(part.id)?.state === 'sent') store.putBack(part.id)
    },
    onAccount: deps.onTrouble,
  })

  return {
    kick: () => work.kick(),
    wake: (accountId) => work.wake(accountId),
    trouble: (accountId) => work.status(accountId).reason,
    offline: () => work.offline(),
    isLocked: (documentId) => locked.has(documentId),
    release(documentId) {
      locked.delete(documentId)
      work.resume(documentId)
    },
    async cancel(versionId) {
      await worker.drop(store.parts(versionId).map(({ id }) => id))
      await work.stop((part) => part.versionId === versionId)
      work.kick()
    },
    async forget(documentIds) {
      const gone = new Set(documentIds)
      // Others have nothing to send, and the search skips those in Trash.
      for (const { documentId } of store.unfinished())
        if (gone.has(documentId)) work.pause(documentId)
      await work.stop((part) => gone.has(part.documentId))
    },
    busy: () => work.busy(),
    async shutdown() {
      closing.abort()
      await work.shutdown()
    },
  }
}
