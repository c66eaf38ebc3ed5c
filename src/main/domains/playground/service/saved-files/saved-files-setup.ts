import type { NetworkChoices } from '../../../settings/index.ts'
import { createRemoteGet } from '../../../../provider-client/remote-get.ts'
import {
  createRemoteItems,
  type RemoteItems,
  type RemoteItemsDeps,
} from '../remote-items/remote-items.ts'
import { audioIn } from '../tasks/task-files.ts'
import { createTaskWatch, type TaskDeps, type Tasks } from '../tasks/tasks.ts'
import type { Run, RunSummary } from '../../../../../shared/model/run.ts'
import { createSavedFiles, type SavedFiles, type SavedFilesDeps } from './saved-files.ts'
import { createPacks, type Packs, type PacksDeps } from './file-packs.ts'

/** Dependencies of tasks and remote items. */
export interface WatchedDeps
  extends
    Omit<TaskDeps, 'savedFiles'>,
    Omit<RemoteItemsDeps, 'savedFiles' | keyof TaskDeps>,
    Omit<SavedFilesDeps, 'inline' | 'remote' | keyof TaskDeps>,
    Pick<PacksDeps, 'home' | 'workerUrl'> {
  readonly files: SavedFilesDeps['files'] & PacksDeps['files']
  readonly api: TaskDeps['api'] & RemoteItemsDeps['api']
  /** The host's proxy for files referenced in responses. */
  readonly network: NetworkChoices
}

/** Tasks, remote items, and the files of both; combined for calls that concern all of them. */
export interface Watched extends Pick<Tasks, 'resume' | 'accountReady' | 'forgetAll' | 'shutdown'> {
  readonly tasks: Tasks
  readonly remoteItems: RemoteItems
  readonly savedFiles: SavedFiles
  readonly packs: Packs
  /** Handles a changed run: the remote item it fetched is saved as well. */
  runChanged(run: RunSummary): void
}

/** Time during which removed entries can be restored, in milliseconds. */
const removedRetentionMs = 30 * 24 * 3600 * 1000

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
      if (run) take(run).catch((error: unknown) => log.warn('failed to save a run', { error }))
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
      await Promise.all([
        tasks.shutdown(),
        remoteItems.shutdown(),
        savedFiles.shutdown(),
        packs.close(),
      ])
    },
  }
}
