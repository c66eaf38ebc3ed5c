import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import { failureOf } from '../../../../provider-client/support.ts'
import { done, reply, still, taskSetup, type TaskSetup } from './task-setup.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'

const listed = (setup: TaskSetup) => setup.tasks.list({ query: '', before: null, limit: 10 }).tasks

test('polls a tracked task at once and then with growing pauses, until it is done', async () => {
  const setup = await taskSetup()
  setup.server.queue(...Array.from({ length: 10 }, () => still), done)
  const task = setup.tasks.watch({ taskId: 'task-1' })
  expect(task).toMatchObject({ taskId: 'task-1', state: 'processing', attempts: 0, kind: null })
  const moved = [await setup.tick()]
  while (setup.timers.length > 0) moved.push(await setup.tick())
  const full = [1000, 1600, 2560, 4096, 6553.6, 10_485.76, 16_777.216, 26_843.5456, 30_000, 30_000]
  expect(moved).toEqual([0, ...full.map((ms) => Math.round(ms * 0.875))])
  const { task: end, result } = setup.tasks.get(task.id)
  expect(end).toMatchObject({
    state: 'succeeded',
    kind: 'chat',
    attempts: 11,
    nextPollAt: null,
    error: null,
  })
  expect(result?.choices[0]?.content).toBe('好了')
  expect(setup.tasks.raw(task.id)).toEqual({
    status: 200,
    contentType: 'application/json',
    body: done.body,
  })
  expect(setup.server.requests).toHaveLength(11)
})

test('polls a long task less often: a minute after an hour, at most ten minutes', async () => {
  const setup = await taskSetup()
  setup.server.always(still)
  setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  for (const [hours, minutes] of [
    [1, 1],
    [5, 5],
    [48, 10],
  ] as const) {
    setup.now = Date.UTC(2026, 0, 1) + hours * 3_600_000
    await setup.tick()
    expect(setup.reported.at(-1)?.task.intervalMs).toBe(minutes * 60_000)
  }
})

test('stores every result with its response before it is reported', async () => {
  const setup = await taskSetup()
  setup.server.queue(still, done)
  setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  await setup.tick()
  expect(
    setup.reported.map(({ task, stored, reply: savedReply }) => [task.state, stored, savedReply]),
  ).toEqual([
    ['processing', 'processing', null],
    ['processing', 'processing', still.body],
    ['succeeded', 'succeeded', done.body],
  ])
})

test('a restart continues with the planned pauses, and polls an overdue task at once', async () => {
  const setup = await taskSetup()
  setup.server.always(still)
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  for (let n = 0; n < 5; n++) await setup.tick()
  const next = setup.store.tasks.get(id)?.nextPollAt ?? 0
  setup.now += 1000
  await setup.restart()
  setup.tasks.resume()
  expect(await setup.planned()).toEqual([next - setup.now])
  await setup.tick()
  expect(setup.reported.at(-1)?.task).toMatchObject({
    attempts: 6,
    intervalMs: Math.round(10_485.76 * 0.875),
  })

  setup.now += 86_400_000
  await setup.restart()
  setup.tasks.resume()
  expect(await setup.tick()).toBe(0)
})

test('a clock that was set back makes no pause longer than planned', async () => {
  const setup = await taskSetup()
  setup.server.always(still)
  setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  setup.now -= 86_400_000
  await setup.restart()
  setup.tasks.resume()
  expect(await setup.tick()).toBe(875)
})

test('a shutdown during a request loses nothing: it is sent again', async () => {
  const setup = await taskSetup()
  setup.server.queue({ hang: true, contentLength: 10 })
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await eventually(() => expect(setup.server.requests).toHaveLength(1))
  await setup.restart()
  expect(setup.store.tasks.get(id)).toMatchObject({ state: 'processing', attempts: 0, error: null })
  setup.server.queue(done)
  setup.tasks.resume()
  await setup.tick()
  expect(setup.tasks.get(id).task.state).toBe('succeeded')
})

test('waits without a key, without reading the keychain again, and continues with one', async () => {
  const setup = await taskSetup()
  const { target } = setup
  setup.target = () => {
    throw new AppError('NO_KEY', 'The account has no key')
  }
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  expect(setup.tasks.get(id).task).toMatchObject({
    state: 'waiting',
    nextPollAt: null,
    error: { code: 'NO_KEY' },
  })
  expect(await setup.planned()).toEqual([])
  setup.target = target
  setup.server.queue(done)
  setup.tasks.accountReady('another account')
  setup.tasks.accountReady(localAccountId)
  await eventually(() => expect(setup.tasks.get(id).task.state).toBe('succeeded'))
  expect(setup.tasks.get(id).task.error).toBeNull()
  expect(setup.server.requests).toHaveLength(1)
})

test('probes an account that is offline with growing pauses, and continues as soon as there is a network', async () => {
  const setup = await taskSetup()
  const { target } = setup
  setup.target = () => ({ ...target(), baseUrl: 'http://127.0.0.1:9' })
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  expect(setup.tasks.get(id).task).toMatchObject({ state: 'waiting', error: { code: 'OFFLINE' } })
  expect([await setup.tick(), await setup.tick()]).toEqual([2000, 10_000])
  setup.target = target
  setup.server.queue(still)
  setup.tasks.accountReady(localAccountId)
  await eventually(() => expect(setup.tasks.get(id).task.state).toBe('processing'))
  expect(await setup.planned()).toHaveLength(1)
})

test('waking polls waiting tasks again, and keeps the pauses of the others', async () => {
  const setup = await taskSetup()
  setup.server.always(still)
  setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  const { target } = setup
  setup.target = () => {
    throw new AppError('OFFLINE', 'No network', { retriable: true })
  }
  setup.tasks.watch({ taskId: 'task-2' })
  await setup.tick()
  setup.target = target
  setup.tasks.resume()
  await eventually(() =>
    expect(listed(setup).map(({ taskId, state, attempts }) => [taskId, state, attempts])).toEqual([
      ['task-2', 'processing', 2],
      ['task-1', 'processing', 1],
    ]),
  )
})

test('retries a failing provider, no sooner than it requests', async () => {
  const setup = await taskSetup()
  setup.server.queue(
    { status: 503, headers: { 'retry-after': '40' } },
    reply({ error: { code: '1302', message: 'slow down' } }, 429),
    done,
  )
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  expect(setup.tasks.get(id)).toMatchObject({
    task: { state: 'processing', attempts: 1, error: { code: 'OVERLOADED' } },
    result: null,
  })
  // With the half second that spreads the requests of a queue.
  expect(await setup.tick()).toBe(40_500)
  expect(setup.tasks.get(id).task.error?.code).toBe('RATE_LIMITED')
  await setup.tick()
  expect(setup.tasks.get(id).task).toMatchObject({ state: 'succeeded', attempts: 3, error: null })
})

test('leaves five unreadable responses, or an unknown task, to the user, who may retry', async () => {
  const setup = await taskSetup()
  setup.server.always({ body: '<html>' })
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  while (setup.timers.length > 0) await setup.tick()
  expect(setup.tasks.get(id).task).toMatchObject({
    state: 'refused',
    attempts: 5,
    nextPollAt: null,
    error: { code: 'MALFORMED_REPLY' },
  })
  setup.server.always(reply({}, 404))
  expect(await setup.tasks.refresh(id)).toMatchObject({
    state: 'refused',
    error: { code: 'SERVICE_NOT_FOUND' },
  })
  setup.server.always(still)
  expect(await setup.tasks.refresh(id)).toMatchObject({ state: 'processing', error: null })
  expect(await setup.planned()).toHaveLength(1)
})

test('a failed task keeps the reason in the common failure format', async () => {
  const setup = await taskSetup()
  const body = { task_status: 'FAIL', error: { code: '1301', message: 'Unsafe' } }
  setup.server.queue(reply(body), reply({ task_status: 'FAIL' }))
  const first = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  expect(setup.tasks.get(first.id)).toMatchObject({
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
  const second = setup.tasks.watch({ taskId: 'task-2' })
  await setup.tick()
  expect(setup.tasks.get(second.id).task).toMatchObject({
    state: 'failed',
    error: { code: 'SERVICE_FAILED' },
  })
  expect(await setup.planned()).toEqual([])
})

test('a done task stays done, whatever a later request returns', async () => {
  const setup = await taskSetup()
  setup.server.queue(done)
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  const saved = setup.tasks.get(id)
  setup.server.queue(still, { status: 404, body: '{}' })
  await setup.tasks.refresh(id)
  expect((await failureOf(setup.tasks.refresh(id))).code).toBe('SERVICE_NOT_FOUND')
  expect(setup.tasks.get(id)).toEqual(saved)
  const newer = reply({ task_status: 'SUCCESS', choices: [{ message: { content: 'newer' } }] })
  setup.server.queue(newer)
  await setup.tasks.refresh(id)
  expect(setup.tasks.get(id).result?.choices[0]?.content).toBe('newer')
})

test('creating stores the task before it is reported, and polls after the first pause', async () => {
  const setup = await taskSetup()
  setup.server.queue(reply({ id: 'task-9', task_status: 'PROCESSING' }), done)
  const task = await setup.tasks.create({ kind: 'chat', model: 'gen-4', body: { messages: [] } })
  expect(task).toMatchObject({
    taskId: 'task-9',
    accountId: localAccountId,
    accountName: 'This computer',
    kind: 'chat',
    model: 'glm-4',
    state: 'processing',
  })
  expect(setup.reported[0]).toMatchObject({ task: { id: task.id }, stored: 'processing' })
  expect(JSON.parse(String(setup.server.requests[0]?.body))).toMatchObject({
    model: 'glm-4',
    messages: [],
  })
  expect(await setup.tick()).toBe(875)
  expect(setup.tasks.get(task.id).task.state).toBe('succeeded')
})

test('fetches a task that is done at creation at once; a reused ID becomes the new task', async () => {
  const setup = await taskSetup()
  const request = { kind: 'image', model: 'gen-image', body: {} } as const
  setup.server.queue(reply({ id: 'task-9', task_status: 'SUCCESS' }), done)
  const first = await setup.tasks.create(request)
  expect(await setup.tick()).toBe(0)
  setup.server.queue(reply({ id: 'task-9' }))
  const second = await setup.tasks.create(request)
  expect(listed(setup).map(({ id, state }) => [id, state])).toEqual([[second.id, 'processing']])
  expect(setup.store.tasks.get(first.id)).toBeUndefined()
})

test('throws if a task cannot be created, and leaves nothing', async () => {
  const setup = await taskSetup()
  setup.server.queue(reply({ error: { code: '1211', message: 'no model' } }, 400))
  const request = { kind: 'video', model: 'gen-video', body: {} } as const
  expect((await failureOf(setup.tasks.create(request))).code).toBe('MODEL_UNKNOWN')
  expect(listed(setup)).toEqual([])
})

test('tracking an ID twice is one task that is polled now; rejects IDs of unknown accounts', async () => {
  const setup = await taskSetup()
  setup.server.always(still)
  const first = setup.tasks.watch({ taskId: 'task-1', kind: 'video' })
  await setup.tick()
  expect(setup.tasks.watch({ taskId: 'task-1' }).id).toBe(first.id)
  await eventually(() => expect(setup.tasks.get(first.id).task.attempts).toBe(2))
  expect(await setup.planned()).toHaveLength(1)
  expect(listed(setup)).toHaveLength(1)
  expect(() => setup.tasks.watch({ taskId: 'task-2', accountId: 'nobody' })).toThrow(
    'Account not found',
  )
})

test('removing aborts the request and ignores its response; restoring brings back all data', async () => {
  const setup = await taskSetup()
  setup.server.queue(still, { ...done, delayMs: 100 })
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  setup.tasks.rename(id, 'Mine')
  const polled = setup.tick()
  await eventually(() => expect(setup.server.requests).toHaveLength(2))
  const replyId = setup.store.tasks.get(id)?.replyId ?? ''
  await setup.tasks.forget(id)
  await polled
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(listed(setup)).toEqual([])
  expect(await setup.planned()).toEqual([])
  expect(setup.reported).toHaveLength(3)
  expect(() => setup.tasks.get(id)).toThrow('Task not found')
  await expect(setup.tasks.forget(id)).rejects.toThrow('Task not found')
  await expect(setup.tasks.refresh(id)).rejects.toThrow('Task not found')
  expect(setup.tasks.restore(id)).toMatchObject({ state: 'processing', title: 'Mine' })
  // It is overdue.
  await eventually(() => expect(setup.server.requests).toHaveLength(3))
  await setup.tasks.forget(id)
  setup.store.tasks.purge(setup.now + 1)
  expect(setup.store.replies.get(replyId)).toBeUndefined()
  expect(() => setup.tasks.restore(id)).toThrow('Task not found')
})

test('titles a task by its input, else the start of its answer; keeps a user-given name', async () => {
  const setup = await taskSetup()
  const body = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Say **hi**' }] }] }
  setup.server.queue(reply({ id: 'task-9', task_status: 'PROCESSING' }), done)
  expect(await setup.tasks.create({ kind: 'chat', model: 'gen-5', body })).toMatchObject({
    title: 'Say **hi**',
  })
  await setup.tick()
  expect(listed(setup)[0]?.title).toBe('Say **hi**')
  setup.server.queue(still, done, done)
  const { id } = setup.tasks.watch({ taskId: 'elsewhere' })
  expect(setup.tasks.get(id).task.title).toBe('elsewhere')
  await setup.tick()
  expect(setup.tasks.get(id).task.title).toBe('elsewhere')
  await setup.tick()
  expect(setup.tasks.get(id).task.title).toBe('好了')
  setup.tasks.rename(id, 'Mine')
  await setup.tasks.refresh(id)
  expect(setup.tasks.get(id).task.title).toBe('Mine')
})

test('a briefly full disk delays a response and loses none', async () => {
  let refusals = 0
  const wrap = (store: Store): Store =>
    Object.assign(Object.create(store) as Store, {
      transaction<T>(work: () => T): T {
        if (refusals-- > 0) throw new AppError('DISK_FULL', 'The disk is full')
        return store.transaction(work)
      },
    })
  const setup = await taskSetup({ wrap })
  setup.server.queue(done)
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  refusals = 2
  await setup.tick()
  expect(setup.tasks.get(id).task.state).toBe('succeeded')
  expect(setup.server.requests).toHaveLength(1)
  expect(setup.log.lines.filter((line) => line.includes('DISK_FULL'))).toHaveLength(2)
})

test('combines two simultaneous requests for one task', async () => {
  const setup = await taskSetup()
  setup.server.queue({ ...done, delayMs: 50 })
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  const [a, b] = await Promise.all([setup.tasks.refresh(id), setup.tasks.refresh(id)])
  expect([a.state, b.state, setup.server.requests.length]).toEqual(['succeeded', 'succeeded', 1])
  expect(await setup.planned()).toEqual([])
})

test('saves engine and notice of the on-device service', async () => {
  const setup = await taskSetup()
  setup.server.queue(reply({ task_status: 'SUCCESS', engine: 'E', notice: 'N' }))
  const { id } = setup.tasks.watch({ taskId: 'task-1' })
  await setup.tick()
  expect(setup.tasks.get(id).task).toMatchObject({ engine: 'E', notice: 'N' })
})
