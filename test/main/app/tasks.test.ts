import { expect, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { done, key, reply, still, useTaskSetup } from './task-setup.ts'

const current = useTaskSetup()

test('polls a created task until it is done, and reads its result', async () => {
  const fixture = current()
  fixture.answers = [still, done]
  const task = await fixture.lectern.call('tasks.create', {
    kind: 'video',
    model: 'cogvideox-3',
    body: { prompt: 'A cat', nested: { list: [1, null, true] } },
  })
  expect(task).toMatchObject({
    taskId: 'task-9',
    accountId: fixture.accountId,
    state: 'processing',
    kind: 'video',
  })
  const sent = fixture.server.requests.find(({ url }) => url.endsWith('/videos/generations'))
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    model: 'cogvideox-3',
    prompt: 'A cat',
    nested: { list: [1, null, true] },
  })
  expect((await fixture.whenState('succeeded')).id).toBe(task.id)
  const { result, task: end } = await fixture.lectern.call('tasks.get', { id: task.id })
  expect([end.state, end.attempts]).toEqual(['succeeded', 2])
  expect(result?.videos).toEqual([{ url: 'https://v', coverUrl: null }])
  expect(await fixture.lectern.call('tasks.raw', { id: task.id })).toEqual({
    reply: { status: 200, contentType: 'application/json', body: done.body },
  })
  expect((await fixture.lectern.call('tasks.list', {})).tasks).toEqual([end])
  expect(end.title).toBe('A cat')
})

test('tracks any ID, polls it on request, and removes it', async () => {
  const fixture = current()
  const task = await fixture.lectern.call('tasks.watch', {
    taskId: ' entered-by-hand ',
    kind: 'video',
  })
  expect(task).toMatchObject({ taskId: 'entered-by-hand', model: null })
  await fixture.whenState('processing')
  fixture.answers = [done]
  expect(await fixture.lectern.call('tasks.refresh', { id: task.id })).toMatchObject({
    state: 'succeeded',
  })
  expect(await fixture.lectern.call('tasks.forget', { id: task.id })).toEqual({})
  await fixture.lectern.until(
    ({ channel, event }) =>
      channel === 'app' && event.type === 'task.forgotten' && event.id === task.id,
  )
  expect((await fixture.lectern.call('tasks.list', {})).tasks).toEqual([])
  for (const route of ['tasks.get', 'tasks.raw', 'tasks.forget', 'tasks.refresh'])
    expect(await fixture.lectern.raw(route, { id: task.id })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
})

test('continues polling after a restart', async () => {
  const fixture = current()
  const { id } = await fixture.lectern.call('tasks.watch', { taskId: 'task-1' })
  await fixture.whenState('processing')
  await fixture.lectern.stop()
  const before = fixture.questions()
  fixture.answers = [done]
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(fixture.questions()).toBe(before)
  fixture.lectern = await testApp({ home: fixture.lectern.home, keychain: fixture.keychain })
  expect(await fixture.whenState('succeeded')).toMatchObject({ id, taskId: 'task-1' })
})

test('lets a task wait without a key, and continues once one is set', async () => {
  const fixture = current()
  await fixture.lectern.call('accounts.clearKey', { id: fixture.accountId })
  const { id } = await fixture.lectern.call('tasks.watch', { taskId: 'task-1' })
  expect(await fixture.whenState('waiting')).toMatchObject({
    id,
    error: { code: 'NO_KEY' },
    nextPollAt: null,
  })
  expect(fixture.questions()).toBe(0)
  fixture.answers = [done]
  await fixture.lectern.call('accounts.setKey', { id: fixture.accountId, key })
  expect(await fixture.whenState('succeeded')).toMatchObject({ id, error: null })
})

test('lets a task wait without a network, and continues automatically when it is back', async () => {
  const fixture = current()
  const { port } = new URL(fixture.server.url)
  await fixture.server.close()
  const { id } = await fixture.lectern.call('tasks.watch', { taskId: 'task-1' })
  expect(await fixture.whenState('waiting')).toMatchObject({ id, error: { code: 'OFFLINE' } })
  fixture.answers = [done]
  fixture.server = await startScriptedServer({ port: Number(port) })
  fixture.server.always((request) => fixture.answer(request))
  // As the connection does when the computer wakes, and automatically every few seconds.
  fixture.lectern.app.resumed?.()
  expect(await fixture.whenState('succeeded')).toMatchObject({ id, error: null })
})

test('stops tracking when everything is erased', async () => {
  const fixture = current()
  await fixture.lectern.call('tasks.watch', { taskId: 'task-1' })
  await fixture.whenState('processing')
  await fixture.lectern.call('app.eraseAll', { confirm: 'erase everything' })
  const before = fixture.questions()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect((await fixture.lectern.call('tasks.list', {})).tasks).toEqual([])
  expect(fixture.questions()).toBe(before)
})

test('leaves nothing of a task that is created while everything is erased', async () => {
  const fixture = current()
  const { answer } = fixture
  fixture.answer = (request) =>
    request.url.includes('/generations')
      ? { ...reply({ id: 'task-9' }), delayMs: 400 }
      : answer(request)
  const creation = fixture.lectern.raw('tasks.create', {
    kind: 'video',
    model: 'cogvideox-3',
    body: { prompt: 'A cat' },
  })
  await expect
    .poll(() => fixture.server.requests.some(({ url }) => url.includes('/generations')))
    .toBe(true)
  await fixture.lectern.call('app.eraseAll', { confirm: 'erase everything' })
  expect(await creation).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await fixture.lectern.call('tasks.list', {})).tasks).toEqual([])
  expect(fixture.questions()).toBe(0)
})
