import { afterEach, beforeEach, expect, test } from 'vitest'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let lectern: TestApp

beforeEach(async () => {
  lectern = await testApp()
})
afterEach(() => lectern.remove())

const whenState = (taskId: string, state: string) =>
  lectern.until(
    ({ channel, event }) =>
      channel === 'app' &&
      event.type === 'task.changed' &&
      event.task.taskId === taskId &&
      event.task.state === state,
  )

test('completes an on-device task in seconds, across its restart, and reports its engine', async () => {
  const task = await lectern.call('tasks.create', {
    kind: 'chat',
    model: 'gen-4',
    body: { messages: [{ role: 'user', content: 'What is in my recordings?' }] },
    accountId: localAccountId,
  })
  expect(task).toMatchObject({ accountName: 'This computer', state: 'processing' })
  await lectern.stop()
  lectern = await testApp({ home: lectern.home })
  await whenState(task.taskId, 'succeeded')
  const { task: end, result } = await lectern.call('tasks.get', { id: task.id })
  expect(end.engine).toBeTruthy()
  expect(result?.choices[0]?.content).toBeTruthy()
})

test('reports an ID unknown on-device, without polling again', async () => {
  const { id } = await lectern.call('tasks.watch', {
    taskId: 'nobody-made-this',
    accountId: localAccountId,
  })
  await whenState('nobody-made-this', 'refused')
  const { task, result } = await lectern.call('tasks.get', { id })
  expect([task.nextPollAt, result, task.error?.retriable]).toEqual([null, null, false])
})
