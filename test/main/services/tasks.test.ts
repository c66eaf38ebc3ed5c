import { expect, test } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import type { Store } from '../../../src/main/store/types.ts'
import { localAccountId } from '../../../src/shared/service/profiles.ts'
import { failureOf } from '../api/support.ts'
import { done, reply, still, taskSetup, type AnswerRunner } from './tasks-desk.ts'
import { eventually } from '../../fixtures/eventually.ts'

const listed = (desk: AnswerRunner) => desk.tasks.list({ query: '', before: null, limit: 10 }).tasks

test('a watched task is asked at once and then with growing pauses, until it is done', async () => {
  const desk = await taskSetup()
  desk.server.queue(...Array.from({ length: 10 }, () => still), done)
  const task = desk.tasks.watch({ taskId: 'task-1' })
  expect(task).toMatchObject({ taskId: 'task-1', state: 'processing', attempts: 0, kind: null })
  const moved: number[] = []
  while (desk.timers.length > 0) moved.push(await desk.tick())
  const full = [1000, 1600, 2560, 4096, 6553.6, 10_485.76, 16_777.216, 26_843.5456, 30_000, 30_000]
  expect(moved).toEqual([0, ...full.map((ms) => Math.round(ms * 0.875))])
  const { task: end, result } = desk.tasks.get(task.id)
  expect(end).toMatchObject({
    state: 'succeeded',
    kind: 'chat',
    attempts: 11,
    nextPollAt: null,
    error: null,
  })
  expect(result?.choices[0]?.content).toBe('好了')
  expect(desk.tasks.raw(task.id)).toEqual({
    status: 200,
    contentType: 'application/json',
    body: done.body,
  })
  expect(desk.server.requests).toHaveLength(11)
})

test('what is asked for long is asked less often: a minute after an hour, ten minutes at most', async () => {
  const desk = await taskSetup()
  desk.server.always(still)
  desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  for (const [hours, minutes] of [
    [1, 1],
    [5, 5],
    [48, 10],
  ] as const) {
    desk.now = Date.UTC(2026, 0, 1) + hours * 3_600_000
    await desk.tick()
    expect(desk.told.at(-1)?.task.intervalMs).toBe(minutes * 60_000)
  }
})

test('every answer is in the file with its reply before it is told', async () => {
  const desk = await taskSetup()
  desk.server.queue(still, done)
  desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  await desk.tick()
  expect(desk.told.map(({ task, stored, reply: kept }) => [task.state, stored, kept])).toEqual([
    ['processing', 'processing', null],
    ['processing', 'processing', still.body],
    ['succeeded', 'succeeded', done.body],
  ])
})

test('a restart goes on where the pauses were, and an outdated question is asked at once', async () => {
  const desk = await taskSetup()
  desk.server.always(still)
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  for (let n = 0; n < 5; n++) await desk.tick()
  const next = desk.store.tasks.get(id)?.nextPollAt ?? 0
  desk.now += 1000
  await desk.restart()
  desk.tasks.resume()
  expect(desk.timers.map(({ at }) => at)).toEqual([next])
  await desk.tick()
  expect(desk.told.at(-1)?.task).toMatchObject({
    attempts: 6,
    intervalMs: Math.round(10_485.76 * 0.875),
  })

  desk.now += 86_400_000
  await desk.restart()
  desk.tasks.resume()
  expect(await desk.tick()).toBe(0)
})

test('a clock that was set back makes no pause longer than planned', async () => {
  const desk = await taskSetup()
  desk.server.always(still)
  desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  desk.now -= 86_400_000
  await desk.restart()
  desk.tasks.resume()
  expect(await desk.tick()).toBe(875)
})

test('an end while a question is on its way loses nothing: it is asked again', async () => {
  const desk = await taskSetup()
  desk.server.queue({ hang: true, contentLength: 10 })
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  desk.timers.shift()?.work()
  await eventually(() => expect(desk.server.requests).toHaveLength(1))
  await desk.restart()
  expect(desk.store.tasks.get(id)).toMatchObject({ state: 'processing', attempts: 0, error: null })
  desk.server.queue(done)
  desk.tasks.resume()
  await desk.tick()
  expect(desk.tasks.get(id).task.state).toBe('succeeded')
})

test('without a key it waits, without asking the keychain again, and goes on with one', async () => {
  const desk = await taskSetup()
  const { target } = desk
  desk.target = () => {
    throw new AppError('NO_KEY', 'The account has no key')
  }
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  expect(desk.tasks.get(id).task).toMatchObject({
    state: 'waiting',
    nextPollAt: null,
    error: { code: 'NO_KEY' },
  })
  expect(desk.timers).toEqual([])
  desk.target = target
  desk.server.queue(done)
  desk.tasks.accountReady('another account')
  desk.tasks.accountReady(localAccountId)
  await eventually(() => expect(desk.tasks.get(id).task.state).toBe('succeeded'))
  expect(desk.tasks.get(id).task.error).toBeNull()
  expect(desk.server.requests).toHaveLength(1)
})

test('without a network it waits with growing pauses, and goes on the moment there is one', async () => {
  const desk = await taskSetup()
  const { target } = desk
  desk.target = () => ({ ...target(), baseUrl: 'http://127.0.0.1:9' })
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  expect(desk.tasks.get(id).task).toMatchObject({ state: 'waiting', error: { code: 'OFFLINE' } })
  expect([await desk.tick(), await desk.tick()]).toEqual([875, 1400])
  desk.target = target
  desk.server.queue(still)
  desk.tasks.accountReady(localAccountId)
  await eventually(() => expect(desk.tasks.get(id).task.state).toBe('processing'))
  expect(desk.timers).toHaveLength(1)
})

test('waking asks again for what waits, and keeps the pauses of the rest', async () => {
  const desk = await taskSetup()
  desk.server.always(still)
  desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  const { target } = desk
  desk.target = () => {
    throw new AppError('OFFLINE', 'No network', { retriable: true })
  }
  desk.tasks.watch({ taskId: 'task-2' })
  await desk.tick()
  desk.target = target
  desk.tasks.resume()
  expect(desk.timers.map(({ at }) => at - desk.now)).toEqual([0, 875])
})

test('a service in trouble is asked again, no sooner than it wishes', async () => {
  const desk = await taskSetup()
  desk.server.queue(
    { status: 503, headers: { 'retry-after': '40' } },
    reply({ error: { code: '1302', message: 'slow down' } }, 429),
    done,
  )
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  expect(desk.tasks.get(id)).toMatchObject({
    task: { state: 'processing', attempts: 1, error: { code: 'OVERLOADED' } },
    result: null,
  })
  expect(await desk.tick()).toBe(40_000)
  expect(desk.tasks.get(id).task.error?.code).toBe('RATE_LIMITED')
  await desk.tick()
  expect(desk.tasks.get(id).task).toMatchObject({ state: 'succeeded', attempts: 3, error: null })
})

test('an answer nobody can read five times, or an unknown task, is left to the user, who may ask again', async () => {
  const desk = await taskSetup()
  desk.server.always({ body: '<html>' })
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  while (desk.timers.length > 0) await desk.tick()
  expect(desk.tasks.get(id).task).toMatchObject({
    state: 'refused',
    attempts: 5,
    nextPollAt: null,
    error: { code: 'MALFORMED_REPLY' },
  })
  desk.server.always(reply({}, 404))
  expect(await desk.tasks.refresh(id)).toMatchObject({
    state: 'refused',
    error: { code: 'SERVICE_NOT_FOUND' },
  })
  desk.server.always(still)
  expect(await desk.tasks.refresh(id)).toMatchObject({ state: 'processing', error: null })
  expect(desk.timers).toHaveLength(1)
})

test('a task that failed keeps the reason in the words of every failure', async () => {
  const desk = await taskSetup()
  const body = { task_status: 'FAIL', error: { code: '1301', message: 'Unsafe' } }
  desk.server.queue(reply(body), reply({ task_status: 'FAIL' }))
  const first = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  expect(desk.tasks.get(first.id)).toMatchObject({
    task: {
      state: 'failed',
      error: {
        code: 'CONTENT_BLOCKED',
        retriable: false,
        service: { code: '1301', message: 'Unsafe' },
      },
    },
    result: { failure: { code: '1301', message: 'Unsafe' } },
  })
  const second = desk.tasks.watch({ taskId: 'task-2' })
  await desk.tick()
  expect(desk.tasks.get(second.id).task).toMatchObject({
    state: 'failed',
    error: { code: 'SERVICE_FAILED' },
  })
  expect(desk.timers).toEqual([])
})

test('what is done stays done, whatever a later question brings', async () => {
  const desk = await taskSetup()
  desk.server.queue(done)
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  const kept = desk.tasks.get(id)
  desk.server.queue(still, { status: 404, body: '{}' })
  await desk.tasks.refresh(id)
  expect((await failureOf(desk.tasks.refresh(id))).code).toBe('SERVICE_NOT_FOUND')
  expect(desk.tasks.get(id)).toEqual(kept)
  const newer = reply({ task_status: 'SUCCESS', choices: [{ message: { content: 'newer' } }] })
  desk.server.queue(newer)
  await desk.tasks.refresh(id)
  expect(desk.tasks.get(id).result?.choices[0]?.content).toBe('newer')
})

test('creating stores the task before it is told, and asks after the first pause', async () => {
  const desk = await taskSetup()
  desk.server.queue(reply({ id: 'task-9', task_status: 'PROCESSING' }), done)
  const task = await desk.tasks.create({ kind: 'chat', model: 'gen-4', body: { messages: [] } })
  expect(task).toMatchObject({
    taskId: 'task-9',
    accountId: localAccountId,
    accountName: 'This computer',
    kind: 'chat',
    model: 'glm-4',
    state: 'processing',
  })
  expect(desk.told[0]).toMatchObject({ task: { id: task.id }, stored: 'processing' })
  expect(JSON.parse(String(desk.server.requests[0]?.body))).toMatchObject({
    model: 'glm-4',
    messages: [],
  })
  expect(await desk.tick()).toBe(875)
  expect(desk.tasks.get(task.id).task.state).toBe('succeeded')
})

test('a task that was over when it was created is asked for at once; an id given twice is the new task', async () => {
  const desk = await taskSetup()
  const request = { kind: 'image', model: 'gen-image', body: {} } as const
  desk.server.queue(reply({ id: 'task-9', task_status: 'SUCCESS' }), done)
  const first = await desk.tasks.create(request)
  expect(await desk.tick()).toBe(0)
  desk.server.queue(reply({ id: 'task-9' }))
  const second = await desk.tasks.create(request)
  expect(listed(desk).map(({ id, state }) => [id, state])).toEqual([[second.id, 'processing']])
  expect(desk.store.tasks.get(first.id)).toBeUndefined()
})

test('a task that cannot be created is thrown and leaves nothing', async () => {
  const desk = await taskSetup()
  desk.server.queue(reply({ error: { code: '1211', message: 'no model' } }, 400))
  const request = { kind: 'video', model: 'gen-video', body: {} } as const
  expect((await failureOf(desk.tasks.create(request))).code).toBe('MODEL_UNKNOWN')
  expect(listed(desk)).toEqual([])
})

test('watching an id twice is one watch that asks now; ids of accounts that are none are refused', async () => {
  const desk = await taskSetup()
  desk.server.always(still)
  const first = desk.tasks.watch({ taskId: 'task-1', kind: 'video' })
  await desk.tick()
  expect(desk.tasks.watch({ taskId: 'task-1' }).id).toBe(first.id)
  await eventually(() => expect(desk.tasks.get(first.id).task.attempts).toBe(2))
  expect(desk.timers).toHaveLength(1)
  expect(listed(desk)).toHaveLength(1)
  expect(() => desk.tasks.watch({ taskId: 'task-2', accountId: 'nobody' })).toThrow(
    'No such account',
  )
})

test('forgetting ends the question on its way, and its answer is not taken; it comes back with what it had', async () => {
  const desk = await taskSetup()
  desk.server.queue(still, { ...done, delayMs: 100 })
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  desk.tasks.rename(id, 'Mine')
  desk.timers.shift()?.work()
  await eventually(() => expect(desk.server.requests).toHaveLength(2))
  const replyId = desk.store.tasks.get(id)?.replyId ?? ''
  await desk.tasks.forget(id)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(listed(desk)).toEqual([])
  expect(desk.timers).toEqual([])
  expect(desk.told).toHaveLength(3)
  expect(() => desk.tasks.get(id)).toThrow('No such task')
  await expect(desk.tasks.forget(id)).rejects.toThrow('No such task')
  await expect(desk.tasks.refresh(id)).rejects.toThrow('No such task')
  expect(desk.tasks.restore(id)).toMatchObject({ state: 'processing', title: 'Mine' })
  expect(desk.timers).toHaveLength(1)
  await desk.tasks.forget(id)
  desk.store.tasks.purge(desk.now + 1)
  expect(desk.store.replies.get(replyId)).toBeUndefined()
  expect(() => desk.tasks.restore(id)).toThrow('No such task')
})

test('a task is called what it was asked for, else how its answer begins; a name of the user stays', async () => {
  const desk = await taskSetup()
  const body = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Say **hi**' }] }] }
  desk.server.queue(reply({ id: 'task-9', task_status: 'PROCESSING' }), done)
  expect(await desk.tasks.create({ kind: 'chat', model: 'gen-5', body })).toMatchObject({
    title: 'Say **hi**',
  })
  await desk.tick()
  expect(listed(desk)[0]?.title).toBe('Say **hi**')
  desk.server.queue(still, done, done)
  const { id } = desk.tasks.watch({ taskId: 'elsewhere' })
  expect(desk.tasks.get(id).task.title).toBe('elsewhere')
  await desk.tick()
  expect(desk.tasks.get(id).task.title).toBe('elsewhere')
  await desk.tick()
  expect(desk.tasks.get(id).task.title).toBe('好了')
  desk.tasks.rename(id, 'Mine')
  await desk.tasks.refresh(id)
  expect(desk.tasks.get(id).task.title).toBe('Mine')
})

test('a disk that is full for a moment delays an answer and loses none', async () => {
  let refusals = 0
  const wrap = (store: Store): Store =>
    Object.assign(Object.create(store) as Store, {
      transaction<T>(work: () => T): T {
        if (refusals-- > 0) throw new AppError('DISK_FULL', 'The disk is full')
        return store.transaction(work)
      },
    })
  const desk = await taskSetup({ wrap })
  desk.server.queue(done)
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  refusals = 2
  await desk.tick()
  expect(desk.tasks.get(id).task.state).toBe('succeeded')
  expect(desk.server.requests).toHaveLength(1)
  expect(desk.log.lines.filter((line) => line.includes('DISK_FULL'))).toHaveLength(2)
})

test('two questions about one task at a time are one', async () => {
  const desk = await taskSetup()
  desk.server.queue({ ...done, delayMs: 50 })
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  const [a, b] = await Promise.all([desk.tasks.refresh(id), desk.tasks.refresh(id)])
  expect([a.state, b.state, desk.server.requests.length]).toEqual(['succeeded', 'succeeded', 1])
  expect(desk.timers).toEqual([])
})

test('engine and notice of this computer are kept', async () => {
  const desk = await taskSetup()
  desk.server.queue(reply({ task_status: 'SUCCESS', engine: 'E', notice: 'N' }))
  const { id } = desk.tasks.watch({ taskId: 'task-1' })
  await desk.tick()
  expect(desk.tasks.get(id).task).toMatchObject({ engine: 'E', notice: 'N' })
})
