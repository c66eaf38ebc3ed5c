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
    log,
    pages,
    calls,
    page,
  }
  const execute = (request: unknown, { signal }: { readonly signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      if (!signal) throw new Error('an export has no signal')
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
    at.jobs.resume()
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
    /** Asks for an export as the page does; the promise is handled, so that a rejection does not fail the test by itself. */
    ask(request: object, route: keyof Handlers = 'chats.export'): Promise<unknown> {
      const handler = at.handlers[route] as (...call: unknown[]) => Promise<unknown>
      const reply = handler({ format: 'md', ...request }, { connection: page })
      reply.catch(() => undefined)
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
  expect([at.jobs.exports(), at.store.fileJobs.list()]).toEqual([[], []])
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
  await eventually(() => expect(at.jobs.exports()).toMatchObject([{ state: 'ready' }]))
  await at.restart()
  const [ready] = at.jobs.exports()
  expect(ready).toMatchObject({ state: 'ready', file: { mediaId: 'm1', name: 'm1.md' } })
  expect(at.running).toEqual([])
  await at.jobs.remove(ready?.id ?? '')
  await at.restart()
  expect(at.jobs.exports()).toEqual([])
})

test('a file that was deleted meanwhile is not offered', async () => {
  const at = await setup()
  at.ask({ id: 'c1' })
  const running = await at.whenRunning(1)
  at.pages.disconnect(at.page)
  running.end('never-stored')
  await eventually(() => expect(at.jobs.exports()).toMatchObject([{ state: 'ready' }]))
  await at.restart()
  expect([at.jobs.exports(), at.store.fileJobs.list()]).toEqual([[], []])
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

  const [job] = at.jobs.exports()
  await at.jobs.remove(job?.id ?? '')
  await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  expect([at.jobs.exports(), at.store.fileJobs.list()]).toEqual([[], []])
})

test('executes two exports at once, in the order they were asked for', async () => {
  const at = await setup()
  const replies = ['a', 'b', 'c', 'd'].map((id) => at.ask({ id }))
  await at.whenRunning(2)
  expect(at.jobs.exports().map(({ state }) => state)).toEqual([
    'running',
    'running',
    'queued',
    'queued',
  ])
  expect(at.jobs.busy()).toBe(true)
  // One that has not started is stopped without being executed.
  await at.jobs.remove(at.jobs.exports()[2]?.id ?? '')
  await expect(replies[2]).rejects.toMatchObject({ code: 'CANCELLED' })
  at.running[0]?.end('m1')
  const third = await at.whenRunning(3)
  expect(third.request).toEqual({ id: 'd', format: 'md' })
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
  expect(at.jobs.exports()).toEqual([])

  at.ask({ id: 'c2' })
  await at.whenRunning(2)
  at.pages.disconnect(at.page)
  at.running[1]?.fail(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  await eventually(() =>
    expect(at.jobs.exports()).toMatchObject([{ state: 'failed', error: { code: 'DISK_FULL' } }]),
  )
  await at.restart()
  const [failed] = at.jobs.exports()
  expect(at.running).toEqual([])
  at.jobs.retry(failed?.id ?? '')
  const again = await at.whenRunning(1)
  expect(again.request).toMatchObject({ id: 'c2' })
  expect(() => at.jobs.retry(failed?.id ?? '')).toThrow('did not fail')
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
  const replies = [at.ask({ id: 'a' }), at.ask({ id: 'b' }), at.ask({ id: 'c' })]
  await at.whenRunning(2)
  await at.jobs.stopAll()
  for (const reply of replies) await expect(reply).rejects.toMatchObject({ code: 'CANCELLED' })
  expect([at.running.length, at.store.fileJobs.list()]).toEqual([2, []])
})
