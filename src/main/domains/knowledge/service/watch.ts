import { AppError } from '../../../errors.ts'
import type { DuePoll } from '../store/knowledge-documents.ts'
import { intervalMs } from '../../../work-queue/poll-plan.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { BaseDocuments } from './documents.ts'
import type { BaseRef, Bases } from './bases.ts'
import type { Context } from '../../../context.ts'

/** Polls documents that are being embedded, with growing pauses, until all are done: across restarts and outages. */
interface EmbeddingWatch {
  /** Reschedules the next poll because a new embedding is running. */
  wake(): void
  /** Called when an account becomes usable (again). */
  accountReady(accountId: string): void
  /** Resolves when no request is running at the moment. */
  idle(): Promise<void>
  /** Resolves when polling has ended. */
  shutdown(): Promise<void>
}

/** Maximum documents polled at once; if a knowledge base has more than `few` of them, its list is fetched instead. */
const atOnce = 200
const few = 4
/** Maximum sleep time: the computer's clock may be changed. */
const maxPauseMs = 60_000
/** Pause after a database write failed. */
const problemMs = 5_000

export function createEmbeddingWatch(
  deps: Pick<Context, 'store' | 'clock' | 'random' | 'log' | 'after' | 'emit'>,
  documents: Pick<BaseDocuments, 'fetch' | 'fetchOne'>,
  bases: Pick<Bases, 'catchUp'>,
): EmbeddingWatch {
  const { store, clock } = deps
  const mirror = store.knowledge.documents
  let cancelTimer: (() => void) | null = null
  let closed = false
  let working: Promise<void> | null = null

  const plan = (polls: readonly DuePoll[], minPauseMs = 0): void => {
    for (const poll of polls) {
      const pause = intervalMs(poll.polls + 1, clock() - poll.firstSeenAt, deps.random)
      mirror.plan(poll, clock() + Math.max(pause, minPauseMs))
    }
  }
  const pollBase = async (ref: BaseRef, polls: readonly DuePoll[]): Promise<void> => {
    const { accountId, baseId } = ref
    try {
      const before = mirror.counts(accountId, baseId).running
      if (polls.length > few) await documents.fetch(ref)
      else for (const { id } of polls) await documents.fetchOne(ref, id)
      plan(polls)
      deps.emit({ type: 'knowledge.changed', accountId, baseId })
      // The polled documents now count in the knowledge base.
      if (mirror.counts(accountId, baseId).running !== before) await bases.catchUp(ref)
    } catch (error) {
      if (isStoreProblem(error)) throw error
      const known = error instanceof AppError
      if (!known) deps.log.error('failed to check the documents of a knowledge base', { error })
      plan(polls, known ? (error.retryAfterMs ?? 0) : 0)
    }
  }
  const round = async (): Promise<void> => {
    const due = mirror.due(clock(), atOnce)
    const byBase = Map.groupBy(due, ({ accountId, baseId }) => `${accountId}\n${baseId}`)
    for (const polls of byBase.values()) {
      const [first] = polls
      if (closed || !first) return
      await pollBase(first, polls)
    }
  }
  const sleep = (ms: number): void => {
    cancelTimer?.()
    if (!closed) cancelTimer = deps.after(Math.min(Math.max(ms, 0), maxPauseMs), wake)
  }
  const wake = (): void => {
    if (closed || working !== null || !store.writable) return
    cancelTimer?.()
    let pause: number | null = null
    working = Promise.resolve()
      .then(round)
      .then(() => {
        const next = mirror.nextDue()
        pause = next === null ? null : next - clock()
      })
      .catch((error: unknown) => {
        deps.log.warn('failed to check the documents of knowledge bases', { error })
        pause = problemMs
      })
      .finally(() => {
        working = null
        if (pause !== null) sleep(pause)
      })
  }

  return {
    wake,
    accountReady(accountId) {
      if (!store.writable) return
      mirror.wake(accountId, clock())
      wake()
    },
    async idle() {
      await working
    },
    async shutdown() {
      closed = true
      cancelTimer?.()
      await working
    },
  }
}
