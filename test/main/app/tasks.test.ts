import { expect, test } from 'vitest'
import { testApp } from '../../fixtures/app.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { done, key, reply, still, useTaskSetup } from './task-setup.ts'

const current = useTaskSetup()

test('a created task is asked for until it is done, and its result can be read', async () => {
  const bench = current()
  bench.answers = [still, done]
  const task = await bench.lectern.call('tasks.create', {
    kind: 'video',
    model: 'cogvideox-3',
    body: { prompt: 'A cat', nested: { list: [1, null, true] } },
  })
  expect(task).toMatchObject({
    taskId: 'task-9',
    accountId: bench.accountId,
    state: 'processing',
    kind: 'video',
  })
  const sent = bench.server.requests.find(({ url }) => url.endsWith('/videos/generations'))
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    model: 'cogvideox-3',
    prompt: 'A cat',
    nested: { list: [1, null, true] },
  })
  expect((await bench.whenState('succeeded')).id).toBe(task.id)
  const { result, task: end } = await bench.lectern.call('tasks.get', { id: task.id })
  expect([end.state, end.attempts]).toEqual(['succeeded', 2])
  expect(result?.videos).toEqual([{ url: 'https://v', coverUrl: null }])
  expect(await bench.lectern.call('tasks.raw', { id: task.id })).toEqual({
    reply: { status: 200, contentType: 'application/json', body: done.body },
  })
  expect((await bench.lectern.call('tasks.list', {})).tasks).toEqual([end])
  expect(end.title).toBe('A cat')
})

test('any id can be watched, asked for now, and forgotten', async () => {
  const bench = current()
  const task = await bench.lectern.call('tasks.watch', {
    taskId: ' entered-by-hand ',
    kind: 'video',
  })
  expect(task).toMatchObject({ taskId: 'entered-by-hand', model: null })
  await bench.whenState('processing')
  bench.answers = [done]
  expect(await bench.lectern.call('tasks.refresh', { id: task.id })).toMatchObject({
    state: 'succeeded',
  })
  expect(await bench.lectern.call('tasks.forget', { id: task.id })).toEqual({})
  await bench.lectern.until(
    ({ channel, event }) =>
      channel === 'app' && event.type === 'task.forgotten' && event.id === task.id,
  )
  expect((await bench.lectern.call('tasks.list', {})).tasks).toEqual([])
  for (const route of ['tasks.get', 'tasks.raw', 'tasks.forget', 'tasks.refresh'])
    expect(await bench.lectern.raw(route, { id: task.id })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
})

test('a restart goes on asking', async () => {
  const bench = current()
  const { id } = await bench.lectern.call('tasks.watch', { taskId: 'task-1' })
  await bench.whenState('processing')
  await bench.lectern.stop()
  const before = bench.questions()
  bench.answers = [done]
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(bench.questions()).toBe(before)
  bench.lectern = await testApp({ home: bench.lectern.home, keychain: bench.keychain })
  expect(await bench.whenState('succeeded')).toMatchObject({ id, taskId: 'task-1' })
})

test('without a key a task waits, and goes on when one is given', async () => {
  const bench = current()
  await bench.lectern.call('accounts.clearKey', { id: bench.accountId })
  const { id } = await bench.lectern.call('tasks.watch', { taskId: 'task-1' })
  expect(await bench.whenState('waiting')).toMatchObject({
    id,
    error: { code: 'NO_KEY' },
    nextPollAt: null,
  })
  expect(bench.questions()).toBe(0)
  bench.answers = [done]
  await bench.lectern.call('accounts.setKey', { id: bench.accountId, key })
  expect(await bench.whenState('succeeded')).toMatchObject({ id, error: null })
})

test('without a network a task waits, and goes on by itself when it is back', async () => {
  const bench = current()
  const { port } = new URL(bench.server.url)
  await bench.server.close()
  const { id } = await bench.lectern.call('tasks.watch', { taskId: 'task-1' })
  expect(await bench.whenState('waiting')).toMatchObject({ id, error: { code: 'OFFLINE' } })
  bench.answers = [done]
  bench.server = await startScriptedServer({ port: Number(port) })
  bench.server.always((request) => bench.answer(request))
  // What the connection does when the computer wakes, and by itself every few seconds.
  bench.lectern.app.resumed?.()
  expect(await bench.whenState('succeeded')).toMatchObject({ id, error: null })
})

test('erasing everything ends what is watched', async () => {
  const bench = current()
  await bench.lectern.call('tasks.watch', { taskId: 'task-1' })
  await bench.whenState('processing')
  await bench.lectern.call('app.eraseAll', { confirm: 'erase everything' })
  const before = bench.questions()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect((await bench.lectern.call('tasks.list', {})).tasks).toEqual([])
  expect(bench.questions()).toBe(before)
})

test('what is being created while everything is erased leaves nothing behind', async () => {
  const bench = current()
  const { answer } = bench
  bench.answer = (request) =>
    request.url.includes('/generations')
      ? { ...reply({ id: 'task-9' }), delayMs: 400 }
      : answer(request)
  const creation = bench.lectern.raw('tasks.create', {
    kind: 'video',
    model: 'cogvideox-3',
    body: { prompt: 'A cat' },
  })
  await expect
    .poll(() => bench.server.requests.some(({ url }) => url.includes('/generations')))
    .toBe(true)
  await bench.lectern.call('app.eraseAll', { confirm: 'erase everything' })
  expect(await creation).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect((await bench.lectern.call('tasks.list', {})).tasks).toEqual([])
  expect(bench.questions()).toBe(0)
})
