import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rebuildDatabase } from '../../../../../src/main/library-database/rebuild.ts'
import type { TaskRecord } from '../../../../../src/main/library-database/types.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
})
afterEach(() => folder.remove())

const aTask = (n: number, more: Partial<TaskRecord> = {}): TaskRecord => ({
  id: `t${n}`,
  taskId: `task-${n}`,
  accountId: 'a1',
  accountName: 'One',
  kind: 'video',
  model: 'cogvideox-3',
  state: 'processing',
  attempts: 3,
  failures: 1,
  intervalMs: 2560,
  nextPollAt: 5000,
  error: { code: 'OFFLINE', message: 'No network', retriable: true, at: 4000 },
  engine: null,
  notice: null,
  replyId: null,
  title: `task-${n}`,
  named: false,
  createdAt: n,
  updatedAt: n,
  ...more,
})

const keep = (store: Store, id: string, body: string): void =>
  store.replies.add({
    id,
    itemId: null,
    operation: 'tasks.get',
    status: 200,
    contentType: 'application/json',
    body,
    at: 1,
  })

test('saves a task with all fields, finds it by provider ID, and changes it by field', () =>
  withStore(folder.home, (store) => {
    store.tasks.create(aTask(1))
    store.tasks.create(aTask(1, { id: 'other', accountId: 'a2', kind: null, error: null }))
    expect(store.tasks.get('t1')).toEqual(aTask(1))
    expect(store.tasks.find('a2', 'task-1')?.id).toBe('other')
    expect(store.tasks.find('a3', 'task-1')).toBeUndefined()
    const patch = { state: 'succeeded', error: null, nextPollAt: null, replyId: 'r1' } as const
    expect(store.tasks.update('t1', patch, 99)).toEqual({ ...aTask(1), ...patch, updatedAt: 99 })
    expect(store.tasks.update('nobody', patch, 99)).toBeUndefined()
    expect(() => store.tasks.create(aTask(1, { id: 'again' }))).toThrow('UNIQUE')
    store.tasks.remove('t1')
    expect(store.tasks.get('t1')).toBeUndefined()
  }))

test('lists tasks newest first, and unfinished ones oldest first', () =>
  withStore(folder.home, (store) => {
    const states = ['processing', 'waiting', 'refused', 'succeeded', 'failed'] as const
    for (const [n, state] of states.entries()) store.tasks.create(aTask(n, { state }))
    const all = { query: '', before: null, limit: 3 } as const
    const first = store.tasks.list(all)
    expect(first.tasks.map(({ id }) => id)).toEqual(['t4', 't3', 't2'])
    expect(first.next).toBe('t2')
    const second = store.tasks.list({ ...all, before: first.next })
    expect([second.tasks.map(({ id }) => id), second.next]).toEqual([['t1', 't0'], null])
    const running = store.tasks.list({ ...all, status: 'running' })
    expect(running.tasks.map(({ id }) => id)).toEqual(['t1', 't0'])
    store.tasks.update('t3', { title: '100 % of bees', words: 'honey_comb', model: 'gen-5' }, 9)
    const found = (query: string) => store.tasks.list({ ...all, query }).tasks.map(({ id }) => id)
    for (const query of ['task-3', 'BEES', 'comb 100', 'y_c', '% gen'])
      expect(found(query)).toEqual(['t3'])
    for (const query of ['bees wax', 'yXc']) expect(found(query)).toEqual([])
    expect(store.tasks.unfinished().map(({ id }) => id)).toEqual(['t0', 't1'])
  }))

test('reads a response by its ID, short or long, and removes it', () =>
  withStore(folder.home, (store) => {
    const long = `"${'好'.repeat(1_200_000)}"`
    keep(store, 'r1', '{}')
    keep(store, 'r2', long)
    expect(store.replies.get('r1')).toMatchObject({ operation: 'tasks.get', body: '{}' })
    expect(store.replies.get('r2')?.body).toBe(long)
    store.replies.remove('r1')
    expect(store.replies.get('r1')).toBeUndefined()
  }))

test('carries tasks and their responses over to a rebuilt database', async () => {
  const tasks = Array.from({ length: 300 }, (_, n) => aTask(n, { replyId: `r${n}` }))
  await withStore(folder.home, (store) =>
    store.transaction(() => {
      for (const task of tasks) {
        store.tasks.create(task)
        if (task.replyId) keep(store, task.replyId, `{"id":"${task.taskId}"}`)
      }
    }),
  )
  const target = join(folder.home, 'rebuilt.db')
  const damaged = join(folder.home, 'library.db')
  expect(rebuildDatabase({ damaged, backup: null, target }).rows).toBeGreaterThanOrEqual(600)
  const db = new Database(target, { readonly: true })
  const count = (sql: string) => db.prepare<[], { n: number }>(sql).get()?.n
  expect(count('SELECT count(*) AS n FROM tasks')).toBe(300)
  expect(count('SELECT count(*) AS n FROM tasks JOIN replies ON replies.id = reply_id')).toBe(300)
  db.close()
})

test('keeps a task whose response is unreadable, and erases both', () =>
  withStore(folder.home, (store) => {
    store.tasks.create(aTask(1, { replyId: 'gone' }))
    expect(store.tasks.get('t1')?.replyId).toBe('gone')
    keep(store, 'r1', '{}')
    store.erase()
    expect(store.tasks.list({ query: '', before: null, limit: 10 }).tasks).toEqual([])
    expect(store.replies.get('r1')).toBeUndefined()
  }))
