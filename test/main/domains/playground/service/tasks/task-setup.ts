import Database from 'better-sqlite3'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { ServiceTarget } from '../../../../../../src/main/provider-client/types.ts'
import {
  createTaskWatch,
  type Tasks,
} from '../../../../../../src/main/domains/playground/service/tasks/tasks.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Task } from '../../../../../../src/shared/model/task.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import type { ScriptedServer } from '../../../../../fixtures/scripted-server.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'
import { observedQueue } from '../../../../work-queue/observed-queue.ts'

/** A JSON response for the scripted server. */
export const reply = (value: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** A response for a task in progress. */
export const still = reply({ task_status: 'PROCESSING' })

/** A response for a completed chat task. */
export const done = reply({
  task_status: 'SUCCESS',
  choices: [{ message: { content: '好了' } }],
})

/** Tracked tasks over a real store and client, with a clock and timers that the test moves. */
export interface TaskSetup {
  readonly server: ScriptedServer
  store: Store
  tasks: Tasks
  /** Unix milliseconds. */
  now: number
  /** Planned work, soonest first. */
  readonly timers: { readonly at: number; readonly work: () => void }[]
  /** Notifications, each with the row that another reader of the file saw at that moment. */
  readonly reported: {
    readonly task: Task
    readonly stored: unknown
    readonly reply: string | null
  }[]
  /** Returns the target of requests; tests can make it throw. */
  target: () => ServiceTarget
  readonly log: ReturnType<typeof memoryLog>
  /**
   * Waits for the poll in flight; without one, moves the clock to the next timer, and waits for the poll that it starts. Returns
   * the milliseconds the clock moved.
   */
  tick(): Promise<number>
  /** Returns the milliseconds until each planned poll, after the work queue has planned it. */
  planned(): Promise<readonly number[]>
  /** Closes the store as a crash leaves it, and opens everything again. */
  restart(): Promise<void>
}

/** Creates the setup for one test. */
export async function taskSetup(
  options: { readonly wrap?: (store: Store) => Store } = {},
): Promise<TaskSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const moving: Pick<TaskSetup, 'now' | 'timers' | 'reported' | 'target'> = {
    now: Date.UTC(2026, 0, 1),
    timers: [],
    reported: [],
    target,
  }
  let serial = 0
  let generation = 0
  const queue = observedQueue(() => moving.now, log, moving.timers)
  const open = () => openStore({ ...storeOptions(home), clock: () => moving.now })

  const watch = (store: Store): Tasks => {
    const mine = (generation += 1)
    return createTaskWatch({
      store: options.wrap?.(store) ?? store,
      api,
      accounts: { target: async () => moving.target() },
      savedFiles: { want: (...wanted) => store.savedFiles.want(...wanted), kick: () => undefined },
      clock: () => moving.now,
      ids: () => `id-${String((serial += 1)).padStart(6, '0')}`,
      log,
      mask: (text) => text,
      random: () => 0.5,
      workQueue: queue.workQueue,
      activeAccountId: () => localAccountId,
      emit(event) {
        if (mine !== generation || event.type !== 'task.changed') return
        const { task } = event
        const reader = new Database(join(home, 'library.db'), { readonly: true })
        const stored = reader.prepare<[string], { state: string; reply_id: string | null }>(
          'SELECT state, reply_id FROM tasks WHERE id = ?',
        )
        const row = stored.get(task.id)
        const body = reader.prepare<[string | null], { body: string }>(
          'SELECT body FROM replies WHERE id = ?',
        )
        const savedReply = body.get(row?.reply_id ?? null)
        reader.close()
        moving.reported.push({ task, stored: row?.state, reply: savedReply?.body ?? null })
      },
    })
  }

  const store = await open()
  const setup: TaskSetup = Object.assign(moving, {
    server,
    store,
    tasks: watch(store),
    log,
    tick: () => queue.tick((at) => (setup.now = at)),
    async planned() {
      await setImmediate()
      return setup.timers.map(({ at }) => at - setup.now)
    },
    async restart() {
      const old = setup.tasks
      generation += 1
      setup.timers.length = 0
      await old.shutdown()
      await setup.store.close()
      setup.store = await open()
      setup.tasks = watch(setup.store)
    },
  })
  onTestFinished(async () => {
    await setup.tasks.shutdown()
    await setup.store.close()
    remove()
  })
  return setup
}
