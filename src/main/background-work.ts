import { runWorks, type RunWork } from '../shared/model/run-mark.ts'
import type { Log } from './deps.ts'
import type { Chats } from './services/chats/types.ts'
import type { Handover } from './services/documents/send-to/send-to.ts'
import type { DocumentsService } from './services/documents/types.ts'
import type { Knowledge } from './services/knowledge/all.ts'
import type { Meetings } from './services/meetings/types.ts'
import type { Runs } from './services/runs/runs.ts'
import type { Tasks } from './services/tasks/tasks.ts'
import type { Transcriptions } from './services/transcribe/transcribe.ts'
import type { Store } from './store/types.ts'

/** Everything that goes on by itself, asked as one. */
export interface Workload {
  /** Goes on with what an earlier run left. */
  resume(): void
  /** An account has a key, or the network is back: what waited for it goes on. */
  accountReady(accountId: string): void
  /** Stops the work on items that are about to go. */
  forget(itemIds: readonly string[]): Promise<void>
  /** They came back out of the bin. */
  restored(itemIds: readonly string[]): void
  busy(): boolean
  /** What goes on now. */
  underWay(): readonly RunWork[]
  /** Stops what goes on among `others` for good, before all is erased. */
  stopAll(): Promise<void>
  /** Resolves when what came is written. */
  shutdown(): Promise<void>
}

/** Something that goes on by itself, as far as it does. */
export type Working = Partial<Workload>

/** What works. */
export interface WorkloadParts {
  readonly store: Store
  readonly log: Log
  readonly transcriptions: Transcriptions
  readonly meetings: Meetings
  readonly documents: DocumentsService
  readonly runs: Runs
  readonly handover: Pick<Handover, 'resume' | 'shutdown'>
  readonly tasks: Pick<Tasks, 'resume' | 'accountReady' | 'shutdown'>
  readonly knowledge: Knowledge
  readonly chats: Chats
  /** What else there is. */
  readonly others: readonly Working[]
}

/** Joins everything that goes on by itself. */
export function createWorkload(parts: WorkloadParts): Workload {
  const { store, log, transcriptions, meetings, documents, runs, handover, tasks } = parts
  const { knowledge, chats, others } = parts
  const busyParts: Readonly<Record<Exclude<RunWork, 'recording'>, () => boolean | undefined>> = {
    meetings: () => meetings.busy(),
    transcriptions: () => store.jobs.byState(['running']).length > 0,
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
      transcriptions.resume()
      runs.resume()
      handover.resume()
      tasks.resume()
      knowledge.resume()
      chats.resume()
      for (const each of others) each.resume?.()
      // Not waited for: a session whose owner may be alive is looked at for seconds.
      meetings.resume().catch((error: unknown) => log.error('meetings', { error }))
      documents.resume().catch((error: unknown) => log.error('documents', { error }))
    },
    accountReady(accountId) {
      for (const each of [transcriptions, meetings, documents, tasks, knowledge, chats])
        each.accountReady(accountId)
      for (const each of others) each.accountReady?.(accountId)
    },
    async forget(itemIds) {
      for (const each of [transcriptions, meetings, documents, chats]) await each.forget(itemIds)
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
      const all = [meetings, documents, transcriptions, runs, tasks, knowledge, chats]
      const ending: readonly Pick<Working, 'shutdown'>[] = [...all, ...others]
      await Promise.all(ending.flatMap((each) => each.shutdown?.() ?? []))
    },
  }
}
