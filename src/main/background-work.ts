import { runWorks, type RunWork } from '../shared/model/run-mark.ts'
import type { Log } from './deps.ts'
import type { Chats } from './domains/chats/service/chat-service-types.ts'
import type { Handover } from './domains/documents/service/send-to/send-to.ts'
import type { DocumentsService } from './domains/documents/service/document-service-types.ts'
import type { Knowledge } from './domains/knowledge/service/all.ts'
import type { Meetings } from './domains/audio/service/types.ts'
import type { Runs } from './domains/playground/service/runs/runs.ts'
import type { Tasks } from './domains/playground/service/tasks/tasks.ts'
import type { Store } from './library-database/store.ts'

/** All background work as one. */
export interface Workload {
  /** Resumes the unfinished work of an earlier run. */
  resume(): void
  /** An account has a key, or the network is back: resumes the work that waited for it. */
  accountReady(accountId: string): void
  /** Stops the work on items that are about to be deleted. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Reports that items were restored from Trash. */
  restored(itemIds: readonly string[]): void
  busy(): boolean
  /** Returns the running work. */
  underWay(): readonly RunWork[]
  /** Stops the work of `others` permanently, before everything is erased. */
  stopAll(): Promise<void>
  /** Resolves when received data is written. */
  shutdown(): Promise<void>
}

/** Kind of background work, with the methods it supports. */
export type Working = Partial<Workload>

export interface WorkloadParts {
  readonly store: Store
  readonly log: Log
  readonly meetings: Meetings
  readonly documents: DocumentsService
  readonly runs: Runs
  readonly handover: Pick<Handover, 'resume' | 'shutdown'>
  readonly tasks: Pick<Tasks, 'resume' | 'accountReady' | 'shutdown'>
  readonly knowledge: Knowledge
  readonly chats: Chats
  /** Other background work. */
  readonly others: readonly Working[]
}

/** Combines all background work. */
export function createWorkload(parts: WorkloadParts): Workload {
  const { store, log, meetings, documents, runs, handover, tasks } = parts
  const { knowledge, chats, others } = parts
  const busyParts: Readonly<Record<Exclude<RunWork, 'recording'>, () => boolean | undefined>> = {
    meetings: () => meetings.busy(),
    documents: () => documents.busy(),
    chats: () => chats.busy(),
    knowledge: () => knowledge.busy(),
    runs: () => runs.busy(),
    other: () => others.some((each) => each.busy?.()),
  }
  const underWay = (): readonly RunWork[] =>
    runWorks.filter((work) => work !== 'recording' && busyParts[work]())
  return {
    resume() {
      if (!store.writable) return
      runs.resume()
      handover.resume()
      tasks.resume()
      knowledge.resume()
      chats.resume()
      for (const each of others) each.resume?.()
      // Not awaited: checking a session whose owner may be alive takes seconds.
      meetings.resume().catch((error: unknown) => log.error('failed to resume meetings', { error }))
      documents
        .resume()
        .catch((error: unknown) => log.error('failed to resume documents', { error }))
    },
    accountReady(accountId) {
      for (const each of [meetings, documents, tasks, knowledge, chats])
        each.accountReady(accountId)
      for (const each of others) each.accountReady?.(accountId)
    },
    async forget(itemIds) {
      for (const each of [meetings, documents, chats]) await each.forget(itemIds)
      for (const each of others) await each.forget?.(itemIds)
    },
    restored(itemIds) {
      for (const each of [meetings, documents]) each.restored(itemIds)
      for (const each of others) each.restored?.(itemIds)
    },
    busy: () => underWay().length > 0,
    underWay,
    async stopAll() {
      await Promise.all(others.flatMap((each) => each.stopAll?.() ?? []))
    },
    async shutdown() {
      handover.shutdown()
      const all = [meetings, documents, runs, tasks, knowledge, chats]
      const ending: readonly Pick<Working, 'shutdown'>[] = [...all, ...others]
      await Promise.all(ending.flatMap((each) => each.shutdown?.() ?? []))
    },
  }
}
