import { expect, test } from 'vitest'
import { secondsUntil } from '../../../../src/renderer/src/domains/playground/tasks/task-labels.ts'
import { useTasks } from '../../../../src/renderer/src/domains/playground/tasks/tasks-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import { now } from '../../fake-data.ts'
import { task } from '../../fake-playground.ts'
import { rendererSetup } from '../../stores.ts'

const one = (more: object = {}) => ({
  task: task('a', more),
  result: null,
  usage: null,
  files: [],
})

test('follows a tracked task automatically, and reads its result when a response was received', async () => {
  const { main, run, settle } = rendererSetup()
  let result: unknown = null
  main.answer('tasks.list', () => ({ tasks: [task('a')], next: null }))
  main.answer('tasks.get', () => ({ ...one({ attempts: result ? 2 : 1 }), result }))
  const tasks = run(useTasks)
  void tasks.load()
  void tasks.open('a')
  await settle()
  expect([tasks.row?.id, tasks.opened?.result]).toEqual(['a', null])
  result = { id: 'task-a', state: 'succeeded' }
  main.app({ type: 'task.changed', task: task('a', { attempts: 2, updatedAt: now + 5 }) })
  await settle()
  expect(tasks.opened?.result).toEqual(result)
  main.app({ type: 'task.forgotten', id: 'a' })
  expect([tasks.rows, tasks.row]).toEqual([[], null])
})

test('tracks an ID with or without its kind, and creates a task from kind, model and body', async () => {
  const { main, run } = rendererSetup()
  main.answer('tasks.watch', ({ taskId }: { taskId: string }) => task('w', { taskId }))
  main.answer('tasks.create', () => task('c'))
  const tasks = run(useTasks)
  expect(await tasks.watchTask({ taskId: 'x1' })).toMatchObject({ task: { taskId: 'x1' } })
  await tasks.create({ kind: 'video', model: 'm', body: { prompt: 'a boat' } })
  expect(tasks.rows.map(({ id }) => id)).toEqual(['c', 'w'])
  expect(main.requests.map(({ payload }) => payload)).toEqual([
    { taskId: 'x1' },
    { kind: 'video', model: 'm', body: { prompt: 'a boat' } },
  ])
})

test('restores a removed task immediately, with its name', async () => {
  const { main, run, settle } = rendererSetup()
  let listed = [task('a', { title: 'Mine' })]
  main.answer('tasks.list', () => ({ tasks: listed, next: null }))
  main.answer('tasks.forget', () => {
    listed = []
    return {}
  })
  main.answer('tasks.restore', () => {
    listed = [task('a', { title: 'Mine' })]
    return listed[0]
  })
  const tasks = run(useTasks)
  void tasks.load()
  await settle()
  expect(await tasks.remove('a')).toBe(true)
  expect(tasks.rows).toEqual([])
  run(useToasts).actNewest()
  await settle()
  expect(main.requests).toContainEqual({ route: 'tasks.restore', payload: { id: 'a' } })
  expect(tasks.rows.map(({ title }) => title)).toEqual(['Mine'])
})

test('requests matching tasks for a filtered list, also for new ones', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('tasks.list', ({ status }: { status?: string }) => ({
    tasks: status === 'failed' ? [] : [task('a')],
    next: null,
  }))
  const tasks = run(useTasks)
  await tasks.load()
  await tasks.narrow('failed')
  expect([tasks.rows, tasks.searched]).toEqual([[], true])
  main.app({ type: 'task.changed', task: task('b') })
  await settle()
  expect(tasks.rows).toEqual([])
})

test('reports the result of polling now, or why there is none', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('tasks.list', () => ({ tasks: [task('a')], next: null }))
  main.answer('tasks.get', () => one())
  main.answer('tasks.refresh', () => task('a', { state: 'succeeded', updatedAt: now + 1 }))
  const tasks = run(useTasks)
  void tasks.open('a')
  await settle()
  void tasks.refresh()
  await settle()
  expect(tasks.rows[0]?.state).toBe('succeeded')
  expect(tasks.requesting).toBe(false)
})

test('shows whole, non-negative seconds until the next poll', () => {
  expect([secondsUntil(5000, 1), secondsUntil(5000, 4001), secondsUntil(5000, 9000)]).toEqual([
    5, 1, 0,
  ])
})
