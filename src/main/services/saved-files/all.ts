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
    Omit<TaskDeps, 'savedFiles'>,
    Omit<RemoteItemsDeps, 'savedFiles' | keyof TaskDeps>,
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
  readonly remoteItems: RemoteItems
  readonly savedFiles: SavedFiles
  readonly packs: Packs
  /** A run stands otherwise: what it read back is kept as well. */
  runChanged(run: RunSummary): void
}

/** What was removed comes back for so long, in milliseconds. */
const removedRetentionMs = 30 * 24 * 3600 * 1000

/** Builds it. */
export function createWatched(deps: WatchedDeps): Watched {
  const { store, clock, log } = deps
  const savedFiles = createSavedFiles({
    ...deps,
    remote: createRemoteGet(deps.network, '*/*'),
    inline: (ownerId, place) =>
      store.tasks.get(ownerId) ? audioIn(tasks.get(ownerId).result, place) : null,
  })
  const tasks = createTaskWatch({ ...deps, savedFiles })
  const remoteItems = createRemoteItems({ ...deps, savedFiles })

  const packs = createPacks(deps)

  const take = async (run: Run): Promise<void> => {
    const reply = store.runs.reply(run.id)
    if (reply) await remoteItems.take(run, reply)
  }
  return {
    tasks,
    remoteItems,
    savedFiles,
    packs,
    runChanged({ id, operation, state }) {
      if (state !== 'done' || !/^(responses|slides)\./.test(operation)) return
      const run = store.runs.get(id)
      if (run) take(run).catch((error: unknown) => log.warn('a run is not kept', { error }))
    },
    resume() {
      const before = clock() - removedRetentionMs
      void savedFiles.drop([...store.tasks.purge(before), ...store.remoteItems.purge(before)])
      tasks.resume()
      remoteItems.resume()
      savedFiles.kick()
    },
    accountReady(accountId) {
      tasks.accountReady(accountId)
      remoteItems.accountReady(accountId)
      savedFiles.kick()
    },
    async forgetAll() {
      await Promise.all([tasks.forgetAll(), remoteItems.stopAll(), savedFiles.stopAll()])
    },
    async shutdown() {
      await Promise.all([tasks.shutdown(), remoteItems.shutdown(), savedFiles.shutdown(), packs.close()])
    },
  }
}
