import type { RunSummary } from '../../../shared/model/run.ts'
import type { Working, Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import type { NewActivityCall } from '../../library-database/types.ts'
import { createRemoteGet } from '../../provider-client/remote-get.ts'
import {
  activityHandlers,
  responseHandlers,
  runHandlers,
  slidesHandlers,
  taskHandlers,
} from './routes.ts'
import { createRemoteItems } from './service/remote-items/remote-items.ts'
import { createRuns } from './service/runs/runs.ts'
import { createPacks } from './service/saved-files/file-packs.ts'
import { createSavedFiles } from './service/saved-files/saved-files.ts'
import { audioIn } from './service/tasks/task-files.ts'
import { createTaskWatch } from './service/tasks/tasks.ts'

/** Time during which removed entries can be restored, in milliseconds. */
const removedRetentionMs = 30 * 24 * 3600 * 1000

/** Runs, tasks, responses and presentations, with their files; and the requests to the provider. */
export function setupPlayground(context: Context) {
  const { store, clock, log, emit } = context
  /** Writes a request to Activity. Never throws: a full disk must not fail the recorded request. */
  const record = (call: NewActivityCall): void => {
    try {
      if (store.writable) emit({ type: 'activity.added', call: store.activity.add(call) })
    } catch (error) {
      log.warn('failed to record a request', { operation: call.operation, error })
    }
  }
  const savedFiles = createSavedFiles({
    ...context,
    remote: createRemoteGet(context.network, '*/*'),
    inline: (ownerId, place) =>
      store.tasks.get(ownerId) ? audioIn(tasks.get(ownerId).result, place) : null,
  })
  const tasks = createTaskWatch({ ...context, savedFiles })
  const remoteItems = createRemoteItems({ ...context, savedFiles })
  const packs = createPacks(context)

  /** Saves the remote item that a run fetched. */
  const takeRemoteItem = async ({ id, operation, state }: RunSummary): Promise<void> => {
    if (state !== 'done' || !/^(responses|slides)\./.test(operation)) return
    const run = store.runs.get(id)
    const reply = run && store.runs.reply(id)
    if (reply) await remoteItems.take(run, reply)
  }
  const runListeners: ((run: RunSummary) => void)[] = []
  const runs = createRuns({
    ...context,
    onRun(run) {
      emit({ type: 'run.changed', run })
      for (const listener of runListeners) listener(run)
      takeRemoteItem(run).catch((error: unknown) => log.warn('failed to save a run', { error }))
    },
  })

  const tracked = {
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
      savedFiles.wake()
    },
    busy: () => savedFiles.busy(),
    async stopAll() {
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
  } satisfies Working

  return {
    runs,
    record,
    /** Adds a listener to every change of a run. */
    onRun: (listener: (run: RunSummary) => void) => void runListeners.push(listener),
    /** Checks the tasks now, because the computer slept. */
    resumeTasks: () => tracked.resume(),
    work: { runs: [runs], other: [tracked] } satisfies Works,
    handlers: {
      ...activityHandlers(store, clock),
      ...responseHandlers(remoteItems),
      ...runHandlers(runs),
      ...slidesHandlers(remoteItems, savedFiles, packs),
      ...taskHandlers(tasks, savedFiles, packs, (id) => emit({ type: 'task.forgotten', id })),
    },
  }
}
