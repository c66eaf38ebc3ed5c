import { expect, test } from 'vitest'
import { secondsUntil } from '../../src/renderer/src/features/tasks/task-words.ts'
import { useTasks } from '../../src/renderer/src/features/tasks/tasks-store.ts'
import { useToasts } from '../../src/renderer/src/ui/toasts.ts'
import { now } from './fake-data.ts'
import { task } from './fake-bench.ts'
import { bench } from './stores.ts'

test('a watched task is followed by itself, and its result read when an answer came', async () => {
  const { main, run, settle } = bench()
  let result: unknown = null
  main.answer('tasks.list', () => [task('a')])
  main.answer('tasks.get', () => ({
    task: task('a', { attempts: result ? 2 : 1 }),
    result,
    files: [],
  }))
  const tasks = run(useTasks)
  void tasks.load()
  void tasks.open('a')
  await settle()
  expect([tasks.task?.id, tasks.result]).toEqual(['a', null])
  result = { id: 'task-a', state: 'succeeded' }
  main.app({ type: 'task.changed', task: task('a', { attempts: 2, updatedAt: now + 5 }) })
  await settle()
  expect(tasks.result).toEqual(result)
  main.app({ type: 'task.forgotten', id: 'a' })
  expect([tasks.tasks, tasks.task]).toEqual([[], null])
})

test('an id is watched with or without its kind, and one made here by kind, model and body', async () => {
  const { main, run } = bench()
  main.answer('tasks.watch', ({ taskId }: { taskId: string }) => task('w', { taskId }))
  main.answer('tasks.create', () => task('c'))
  const tasks = run(useTasks)
  expect(await tasks.watchTask({ taskId: 'x1' })).toMatchObject({ task: { taskId: 'x1' } })
  await tasks.create({ kind: 'video', model: 'm', body: { prompt: 'a boat' } })
  expect(tasks.tasks.map(({ id }) => id)).toEqual(['c', 'w'])
  expect(main.asked.map(({ payload }) => payload)).toEqual([
    { taskId: 'x1' },
    { kind: 'video', model: 'm', body: { prompt: 'a boat' } },
  ])
})

test('one that is no longer watched can be watched again at once', async () => {
  const { main, run, settle } = bench()
  main.answer('tasks.list', () => [task('a')])
  main.answer('tasks.forget', () => ({}))
  main.answer('tasks.watch', () => task('again'))
  const tasks = run(useTasks)
  void tasks.load()
  await settle()
  expect(await tasks.forget(task('a'))).toBe(true)
  expect(tasks.tasks).toEqual([])
  run(useToasts).actNewest()
  await settle()
  expect(main.asked.at(-1)).toEqual({
    route: 'tasks.watch',
    payload: { taskId: 'task-a', accountId: 'this-computer', kind: 'chat' },
  })
  expect(tasks.tasks.map(({ id }) => id)).toEqual(['again'])
})

test('asking now tells what came, or why nothing did', async () => {
  const { main, run, settle } = bench()
  main.answer('tasks.list', () => [task('a')])
  main.answer('tasks.get', () => ({ task: task('a'), result: null, files: [] }))
  main.answer('tasks.refresh', () => task('a', { state: 'succeeded', updatedAt: now + 1 }))
  const tasks = run(useTasks)
  void tasks.open('a')
  await settle()
  void tasks.refresh('a')
  await settle()
  expect(tasks.tasks[0]?.state).toBe('succeeded')
  expect(tasks.asking).toBe(false)
})

test('seconds to the next question are whole and never negative', () => {
  expect([secondsUntil(5000, 1), secondsUntil(5000, 4001), secondsUntil(5000, 9000)]).toEqual([
    5, 1, 0,
  ])
})
