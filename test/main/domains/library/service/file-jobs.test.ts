import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import {
  createFileJobs,
  type FileJobs,
} from '../../../../../src/main/domains/library/service/file-jobs/file-jobs.ts'
import { AppError } from '../../../../../src/main/errors.ts'
import type { PageConnection } from '../../../../../src/main/host.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { createCalls } from '../../../../../src/main/platform/bridge/calls.ts'
import { createPageSet } from '../../../../../src/main/platform/bridge/events.ts'
import type { Handlers } from '../../../../../src/main/platform/bridge/router.ts'
import { createWorkQueue } from '../../../../../src/main/work-queue/work-queue.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'

/** An export in progress, which the test ends. */
interface Running {
  readonly request: unknown
  readonly signal: AbortSignal
  end(mediaId: string): void
  fail(error: unknown): void
}

/** File jobs over a real store and queue, whose exports the test ends. */
async function setup(wrapStore: (store: Store) => Store = (store) => store) {
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const pages = createPageSet()
  const calls = createCalls()
  const page: PageConnection = { id: 'page-0001', push: () => undefined }
  pages.connect(page)
  let serial = 0
  const at = {
    store: undefined as unknown as Store,
    jobs: undefined as unknown as FileJobs,
    handlers: undefined as unknown as Handlers,
    running: [] as Running[],
    home,
    log,
    pages,
    calls,
    page,
  }
  const execute = (request: unknown, { signal }: { readonly signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      if (!signal) throw new Error('an export has no signal')
      if ((request as { readonly id: string }).id !== 'deaf')
        signal.addEventListener('abort', () => reject(new AppError('CANCELLED', 'Stopped')))
      at.running.push({
        request,
        signal,
        end: (mediaId) => resolve({ media: { id: mediaId, name: `${mediaId}.md` } }),
        fail: reject,
      })
    })
  const open = async (): Promise<void> => {
    at.store = wrapStore(await openStore(storeOptions(home)))
    at.running = []
    at.jobs = createFileJobs({
      store: at.store,
      workQueue: createWorkQueue({ clock: Date.now, log, random: () => 0, after: () => () => {} }),
      clock: Date.now,
      ids: () => `job-${(serial += 1)}`,
      log,
      calls,
      pages,
      emit: () => undefined,
    })
    at.handlers = at.jobs.wrap({
      'chats.export': execute,
      'meetings.exportAudio': execute,
      'documents.export': execute,
    } as unknown as Handlers)
    void at.jobs.resume()
  }
  const close = async (): Promise<void> => {
    await at.jobs.shutdown()
    await at.store.close()
  }
  await open()
  onTestFinished(async () => {
    await close()
    remove()
  })
  return Object.assign(at, {
    /** Asks for an export as the page does; the promise is handled, so that a rejection alone does not fail the test. */
    ask(request: object, route: keyof Handlers = 'chats.export'): Promise<unknown> {
      const handler = at.handlers[route] as (...call: unknown[]) => Promise<unknown>
      const reply = handler({ format: 'md', ...request }, { connection: page })
      void reply.catch(() => undefined)
      return reply
    },
    async whenRunning(count: number): Promise<Running> {
      await eventually(() => expect(at.running).toHaveLength(count))
      const last = at.running.at(-1)
      if (!last) throw new Error('nothing is running')
      return last
    },
    addMedia(id: string): void {
      const media = { id, sha256: 'a'.repeat(64), mime: 'text/markdown', bytes: 1, name: 'x' }
      at.store.media.put({ ...media, duration: null, createdAt: Date.now() })
    },
    async restart(): Promise<void> {
      await close()
      await open()
    },
  })
}

test('the page that asked receives the file, and nothing is left', async () => {
  const at = await setup()
  const reply = at.ask({ id: 'c1' })
  const running = await at.whenRunning(1)
  expect(running.request).toEqual({ id: 'c1', format: 'md' })
  expect(at.store.fileJobs.list()).toMatchObject([{ kind: 'chats.export', state: 'running' }])
  running.end('m1')
  expect(await reply).toEqual({ media: { id: 'm1', name: 'm1.md' } })
  expect([at.jobs.list(), at.store.fileJobs.list()]).toEqual([[], []])
})

test('a restart continues an export, whose file then waits until the user has saved it', async () => {
  const at = await setup()
  const reply = at.ask({ id: 'c1' })
  await at.whenRunning(1)
  await at.restart()
  await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  const again = await at.whenRunning(1)
  expect(again.request).toMatchObject({ id: 'c1', format: 'md' })
  at.addMedia('m1')
  again.end('m1')
  await eventually(() => expect(at.jobs.list()).toMatchObject([{ state: 'ready' }]))
  await at.restart()
  const [ready] = at.jobs.list()
  expect(ready).toMatchObject({ state: 'ready', file: { mediaId: 'm1', name: 'm1.md' } })
  expect(at.running).toEqual([])
  await at.jobs.remove(ready?.id ?? '')
  await at.restart()
  expect(at.jobs.list()).toEqual([])
})

test('a file that was not saved is in use until it is removed from the list', async () => {
  const at = await setup()
  void at.ask({ id: 'c1' })
  const running = await at.whenRunning(1)
  at.addMedia('m1')
  const unused = () => at.store.media.orphans(Date.now() + 1).map(({ id }) => id)
  expect(unused()).toEqual(['m1'])
  at.pages.disconnect(at.page)
  running.end('m1')
  await eventually(() => expect(at.store.fileJobs.list()).toMatchObject([{ state: 'ready' }]))
  expect([unused(), at.store.media.remove('m1')]).toEqual([[], false])
  await at.jobs.remove(at.jobs.list()[0]?.id ?? '')
  expect(unused()).toEqual(['m1'])
})

test('an export that was running at two ends of Lectern is not started a third time without the user', async () => {
  const at = await setup()
  void at.ask({ id: 'c1' })
  await at.whenRunning(1)
  await at.restart()
  await at.whenRunning(1)
  await at.restart()
  expect(at.jobs.list()).toMatchObject([{ state: 'failed', error: { code: 'LEFT_UNFINISHED' } }])
  expect(at.running).toEqual([])
  await at.jobs.retry(at.jobs.list()[0]?.id ?? '', at.page)
  await at.whenRunning(1)
})

test('a stop is final although the export does not notice it, also at the next start', async () => {
  const at = await setup()
  const reply = at.ask({ id: 'deaf' })
  const running = await at.whenRunning(1)
  await at.jobs.remove(at.jobs.list()[0]?.id ?? '')
  await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(at.store.fileJobs.list()).toEqual([])
  running.end('m1')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(at.jobs.list()).toEqual([])
  await at.restart()
  expect([at.jobs.list(), at.running]).toEqual([[], []])
})

test('rows that no version of Lectern writes are not executed, and do not hide the others', async () => {
  const at = await setup()
  void at.ask({ id: 'c1' })
  await at.whenRunning(1)
  const db = new Database(join(at.home, 'library.db'))
  const add = db.prepare(
    `INSERT INTO file_jobs (id, kind, request, state, created_at) VALUES (?, ?, ?, ?, 0)`,
  )
  add.run('x1', 'chats.export', '{"id":{}}', 'failed')
  add.run('x2', 'chats.export', '"text"', 'running')
  add.run('x3', 'chats.export', '{}', 'unknown')
  add.run('x4', 'library.purge', '{"ids":["all"]}', 'running')
  db.close()
  await at.restart()
  await at.whenRunning(1)
  expect(at.jobs.list().map(({ id }) => id)).toEqual(['x1', 'job-1'])
})

test('a page that goes away does not stop its exports; the user can', async () => {
  const at = await setup()
  const call = { id: 'd1', callId: 'call-00000001' }
  const reply = at.ask(call, 'documents.export')
  const running = await at.whenRunning(1)
  expect(running.request).toEqual({ id: 'd1', format: 'md' })
  at.pages.disconnect(at.page)
  at.calls.dropConnection(at.page.id)
  expect(running.signal.aborted).toBe(false)
  at.pages.connect(at.page)

  const other = at.ask({ ...call, callId: 'call-00000002' }, 'documents.export')
  const second = await at.whenRunning(2)
  expect(at.calls.cancel(at.page.id, 'call-00000002')).toBe(true)
  await expect(other).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(second.signal.aborted).toBe(true)

  const [job] = at.jobs.list()
  await at.jobs.remove(job?.id ?? '')
  await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  expect([at.jobs.list(), at.store.fileJobs.list()]).toEqual([[], []])
})

test('executes two long exports at once, in the order they were asked for, and short ones beside them', async () => {
  const at = await setup()
  const replies = ['a', 'b', 'c', 'd'].map((id) => at.ask({ id }, 'meetings.exportAudio'))
  await at.whenRunning(2)
  expect(at.jobs.list().map(({ state }) => state)).toEqual([
    'running',
    'running',
    'queued',
    'queued',
  ])
  expect(at.jobs.busy()).toBe(true)
  // One that has not started is stopped without being executed.
  await at.jobs.remove(at.jobs.list()[2]?.id ?? '')
  await expect(replies[2]).rejects.toMatchObject({ code: 'CANCELLED' })
  at.running[0]?.end('m1')
  const third = await at.whenRunning(3)
  expect(third.request).toEqual({ id: 'd', format: 'md' })
  const short = at.ask({ id: 'short' })
  ;(await at.whenRunning(4)).end('m5')
  await short
  at.running[1]?.end('m2')
  third.end('m4')
  await Promise.all([replies[0], replies[1], replies[3]])
  await eventually(() => expect(at.jobs.busy()).toBe(false))
})

test('a failure goes to the page that asked; without it, the user can retry', async () => {
  const at = await setup()
  const reply = at.ask({ id: 'c1' })
  ;(await at.whenRunning(1)).fail(new AppError('SAVE_FAILED', 'No', { retriable: true }))
  await expect(reply).rejects.toMatchObject({ code: 'SAVE_FAILED' })
  expect(at.jobs.list()).toEqual([])

  void at.ask({ id: 'c2' })
  await at.whenRunning(2)
  at.pages.disconnect(at.page)
  at.running[1]?.fail(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  await eventually(() =>
    expect(at.jobs.list()).toMatchObject([{ state: 'failed', error: { code: 'DISK_FULL' } }]),
  )
  await at.restart()
  const [failed] = at.jobs.list()
  expect(at.running).toEqual([])
  await at.jobs.retry(failed?.id ?? '', at.page)
  const again = await at.whenRunning(1)
  expect(again.request).toMatchObject({ id: 'c2' })
  await expect(at.jobs.retry(failed?.id ?? '', at.page)).rejects.toThrow('did not fail')
  // What it exports was deleted.
  again.fail(new AppError('NOT_FOUND', 'Chat not found'))
  await eventually(() => expect(at.store.fileJobs.list()).toEqual([]))
})

test('a library that cannot be written does not prevent exports', async () => {
  const at = await setup((store) =>
    Object.create(store, { close: { value: () => store.close() }, writable: { value: false } }),
  )
  const reply = at.ask({ id: 'c1' })
  ;(await at.whenRunning(1)).end('m1')
  expect(await reply).toMatchObject({ media: { id: 'm1' } })
  expect(at.store.fileJobs.list()).toEqual([])
})

test('erasing everything stops all jobs', async () => {
  const at = await setup()
  const replies = ['a', 'b', 'c'].map((id) => at.ask({ id }, 'meetings.exportAudio'))
  await at.whenRunning(2)
  await at.jobs.stopAll()
  for (const reply of replies) await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  expect([at.running.length, at.store.fileJobs.list()]).toEqual([2, []])
})
