import type { NetworkChoices } from '../network/network.ts'
import { createRemoteGet } from '../documents/remote-get.ts'
import {
  createRemoteItems,
  type RemoteItems,
  type RemoteItemsDeps,
} from '../remote-items/remote-items.ts'
import { audioIn } from '../tasks/files.ts'
import { createTaskWatch, type TaskDeps, type Tasks } from '../tasks/tasks.ts'
import type { Run, RunSummary } from '../../../shared/model/run.ts'
import { createSavedFiles, type SavedFiles, type SavedFilesDeps } from './saved-files.ts'
import { createPacks, type Packs, type PacksDeps } from './file-packs.ts'

/** What is watched and read back is built from. */
export interface WatchedDeps
  extends
    Omit<TaskDeps, 'kept'>,
    Omit<RemoteItemsDeps, 'kept' | keyof TaskDeps>,
    Omit<SavedFilesDeps, 'inline' | 'remote' | keyof TaskDeps>,
    Pick<PacksDeps, 'home' | 'workerUrl'> {
  readonly files: SavedFilesDeps['files'] & PacksDeps['files']
  readonly api: TaskDeps['api'] & RemoteItemsDeps['api']
  /** The host's choice of a proxy, for files that replies name. */
  readonly network: NetworkChoices
}

/** Tasks, what is read back by its id, and the files that both name; as one where all of it is asked. */
export interface Watched extends Pick<Tasks, 'resume' | 'accountReady' | 'forgetAll' | 'shutdown'> {
  readonly tasks: Tasks
  readonly lookups: RemoteItems
  readonly kept: SavedFiles
  readonly packs: Packs
  /** A run stands otherwise: what it read back is kept as well. */
  runChanged(run: RunSummary): void
}

/** What was removed comes back for so long, in milliseconds. */
const removedRetentionMs = 30 * 24 * 3600 * 1000

/** Builds it. */
export function createWatched(deps: WatchedDeps): Watched {
  const { store, clock, log } = deps
  const kept = createSavedFiles({
    ...deps,
    remote: createRemoteGet(deps.network, '*/*'),
    inline: (ownerId, place) =>
      store.tasks.get(ownerId) ? audioIn(tasks.get(ownerId).result, place) : null,
  })
  const tasks = createTaskWatch({ ...deps, kept })
  const lookups = createRemoteItems({ ...deps, kept })

  const packs = createPacks(deps)

  const take = async (run: Run): Promise<void> => {
    const reply = store.runs.reply(run.id)
    if (reply) await lookups.take(run, reply)
  }
  return {
    tasks,
    lookups,
    kept,
    packs,
    runChanged({ id, operation, state }) {
      if (state !== 'done' || !/^(responses|slides)\./.test(operation)) return
      const run = store.runs.get(id)
      if (run) take(run).catch((error: unknown) => log.warn('a run is not kept', { error }))
    },
    resume() {
      const before = clock() - removedRetentionMs
      void kept.drop([...store.tasks.purge(before), ...store.lookups.purge(before)])
      tasks.resume()
      lookups.resume()
      kept.kick()
    },
    accountReady(accountId) {
      tasks.accountReady(accountId)
      lookups.accountReady(accountId)
      kept.kick()
    },
    async forgetAll() {
      await Promise.all([tasks.forgetAll(), lookups.stopAll(), kept.stopAll()])
    },
    async shutdown() {
      await Promise.all([tasks.shutdown(), lookups.shutdown(), kept.shutdown(), packs.close()])
    },
  }
}
