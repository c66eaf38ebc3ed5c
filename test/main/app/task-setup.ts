import { afterEach, beforeEach } from 'vitest'
import type { Task } from '../../../src/shared/model/task.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import {
  startScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'

/** API key of the account. */
export const key = 'key-of-the-account'

/** A JSON reply. */
export const reply = (value: unknown, status = 200): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** Responses of a running and of a completed task. */
export const still = reply({ task_status: 'PROCESSING' })
export const done = reply({ task_status: 'SUCCESS', video_result: [{ url: 'https://v' }] })

/** The app with one account at a scripted task service; tests replace its parts. */
export interface TaskSetup {
  lectern: TestApp
  server: ScriptedServer
  readonly accountId: string
  readonly keychain: ReturnType<typeof memoryKeychain>
  /** Responses to task polls, in turn; the last repeats. */
  answers: ScriptedReply[]
  answer(request: { readonly url: string; readonly method: string }): ScriptedReply
  /** Returns the number of task polls so far. */
  questions(): number
  /** Resolves with the first task reported in this state. */
  whenState(state: Task['state']): Promise<Task>
}

/** Creates the setup before each test of a file and removes it afterwards. */
export function useTaskSetup(): () => TaskSetup {
  let setup: TaskSetup | undefined
  const need = (): TaskSetup => {
    if (!setup) throw new Error('no test is running')
    return setup
  }
  beforeEach(async () => {
    setup = await build()
  })
  afterEach(async () => {
    await setup?.lectern.remove()
    await setup?.server.close()
  })
  return need
}

async function build(): Promise<TaskSetup> {
  const keychain = memoryKeychain()
  const server = await startScriptedServer()
  const lectern = await testApp({ keychain })
  const preset = 'custom'
  const account = await lectern.call('accounts.create', {
    preset,
    name: 'Scripted',
    baseUrl: server.url,
  })
  const setup: TaskSetup = {
    lectern,
    server,
    accountId: account.id,
    keychain,
    answers: [still],
    answer({ url, method }) {
      const { answers } = setup
      if (url.includes('/async-result/'))
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? still
      if (method === 'POST' && url.includes('/generations')) return reply({ id: 'task-9' })
      return reply({ voice_list: [] })
    },
    questions: () => setup.server.requests.filter(({ url }) => url.includes('async-result')).length,
    async whenState(state) {
      const pushed = await setup.lectern.until(
        ({ channel, event }) =>
          channel === 'app' && event.type === 'task.changed' && event.task.state === state,
      )
      if (pushed.channel !== 'app' || pushed.event.type !== 'task.changed')
        throw new Error('not told')
      return pushed.event.task
    },
  }
  server.always((request) => setup.answer(request))
  await lectern.call('accounts.setKey', { id: account.id, key })
  await lectern.call('accounts.activate', { id: account.id })
  return setup
}
