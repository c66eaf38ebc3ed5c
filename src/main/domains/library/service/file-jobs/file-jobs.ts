import { routes, type ReplyOf } from '../../../../../shared/contract/routes.ts'
import type { WrittenFile } from '../../../../../shared/model/work.ts'
import type { Working } from '../../../../background-work.ts'
import type { Context } from '../../../../context.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { PageConnection } from '../../../../host.ts'
import type { Handlers } from '../../../../platform/bridge/router.ts'
import type { Pages } from '../../../../platform/bridge/events.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import { persist } from '../../../../platform/database/persist.ts'
import type { FileJobRecord } from '../../store/file-jobs-store.ts'

/** Routes that write a file for the user, which the page saves afterwards. */
const exportRoutes = [
  'documents.export',
  'highlights.export',
  'meetings.export',
  'meetings.exportAudio',
  'chats.export',
  'speech.export',
  'tasks.pack',
  'slides.pack',
  'runs.export',
  'retrieval.export',
  'embeddings.export',
  'rerank.export',
] as const satisfies readonly (keyof Handlers)[]
type ExportRoute = (typeof exportRoutes)[number]

/** One kind of jobs. */
interface JobKind {
  /** Jobs of a lane are executed one after another, as many at once as it has places. */
  readonly lane: keyof typeof places
  /** Whether the next start continues it. */
  readonly resumes: boolean
  execute(
    request: unknown,
    context: { page: PageConnection; signal: AbortSignal },
  ): Promise<unknown>
  /** The file of a result that no page has received, for the user to save; null: nothing is left to do. */
  fileOf(result: unknown): WrittenFile | null
}

/** Number of jobs executed at once: two exports, so that a short one need not wait for a long one, and one archive. */
const places = { exports: 2, archives: 1 } as const

/**
 * Work that writes a file on this computer: exports, and archives of the library. Each is an item of the work queue with a row:
 * a restart continues it. Its result goes to the page that asked; without that page, it waits for the user in the list of jobs.
 */
export interface FileJobs extends Required<
  Pick<Working, 'resume' | 'busy' | 'stopAll' | 'shutdown'>
> {
  /** Executes the export routes of these handlers as jobs. */
  wrap(handlers: Handlers): Handlers
  define(name: string, kind: JobKind): void
  /** Starts a job and returns its result. Throws CANCELLED if it is stopped. */
  run(name: string, request: unknown, signal?: AbortSignal): Promise<unknown>
  /** Exports for the list of jobs, oldest first. */
  exports(): readonly FileJobRecord[]
  /** Executes a failed job again. Throws NOT_FOUND. */
  retry(id: string): void
  /** Stops a job, or removes its result from the list. */
  remove(id: string): Promise<void>
}

interface FileJobsDeps extends Pick<
  Context,
  'store' | 'workQueue' | 'clock' | 'ids' | 'log' | 'calls' | 'emit'
> {
  readonly pages: Pick<Pages, 'isConnected'>
}

/** A page, or a part of the app, that waits for the result. */
interface Caller {
  readonly page: PageConnection | null
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Job extends FileJobRecord {
  readonly caller: Caller | null
}

/** The page of a job that an earlier run started. */
const noPage: PageConnection = { id: '', push: () => undefined }

export function createFileJobs(deps: FileJobsDeps): FileJobs {
  const { store, clock, log, calls, pages } = deps
  const kinds = new Map<string, JobKind>()
  const jobs = new Map<string, Job>()
  const closing = new AbortController()

  /** Writes rows in the background: a job must not fail because its row cannot be stored, and only a restart needs it. */
  const save = (write: () => void): void => {
    if (!store.writable) return
    void persist(write, closing.signal, ({ code }) =>
      log.warn('failed to save a file job, will retry', { code }),
    ).catch((error: unknown) => {
      if (!closing.signal.aborted) log.error('failed to save a file job', { error })
    })
  }
  const put = (job: Job): void => {
    jobs.set(job.id, job)
    const { caller: _, ...row } = job
    if (kinds.get(job.kind)?.resumes)
      save(() => jobs.get(job.id) === job && store.fileJobs.put(row))
    deps.emit({ type: 'work.changed' })
  }
  const drop = ({ id }: Job): void => {
    jobs.delete(id)
    save(() => store.fileJobs.remove(id))
    deps.emit({ type: 'work.changed' })
  }
  const isAwaited = ({ caller }: Job): boolean =>
    caller !== null && (caller.page === null || pages.isConnected(caller.page.id))

  const succeed = (job: Job, result: unknown): void => {
    const file = isAwaited(job) ? null : (kinds.get(job.kind)?.fileOf(result) ?? null)
    if (file) put({ ...job, state: 'ready', file, caller: null })
    else drop(job)
    job.caller?.resolve(result)
  }
  const fail = (job: Job, error: unknown): void => {
    const failure = toFailure(fromFileSystem(error), clock())
    // What it exports was deleted since.
    const isPast = isAwaited(job) || failure.code === 'NOT_FOUND'
    if (!isPast && !(error instanceof AppError)) log.error('an export failed', { error })
    if (isPast) drop(job)
    else put({ ...job, state: 'failed', error: failure, caller: null })
    job.caller?.reject(error)
  }
  const isOpen = ({ state }: FileJobRecord): boolean => state === 'queued' || state === 'running'
  const laneOf = ({ kind }: FileJobRecord): string | undefined => kinds.get(kind)?.lane

  const work = deps.workQueue.add<Job>({
    about: 'file job',
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ id }) => id,
    takesTurns: false,
    priority: () => 0,
    // Nothing is sent: each lane has places of its own, and is never closed.
    accounts: () => Object.keys(places),
    size: (lane) => places[lane as keyof typeof places],
    next: ({ accountId: lane, except, exceptGroups }) =>
      [...jobs.values()].find(
        (job) =>
          isOpen(job) &&
          laneOf(job) === lane &&
          !except.includes(job.id) &&
          !exceptGroups.includes(job.id),
      ),
    nextTime: () => null,
    async execute(item, signal) {
      const job: Job = { ...item, state: 'running' }
      put(job)
      try {
        const page = job.caller?.page ?? noPage
        const result = await kinds.get(job.kind)?.execute(job.request, { page, signal })
        signal.throwIfAborted()
        succeed(job, result)
      } catch (error) {
        if (signal.aborted) throw error
        fail(job, error)
      }
      return 'unsent'
    },
    attempts: () => 1,
    wait: () => undefined,
    fail: () => undefined,
    stopped({ id }) {
      const job = jobs.get(id)
      if (!job) return
      drop(job)
      job.caller?.reject(stopped())
    },
  })

  const stop = async (id: string): Promise<void> => {
    await work.stop((job) => job.id === id)
    const job = jobs.get(id)
    if (!job || work.inFlight().some((one) => one.id === id)) return
    drop(job)
    job.caller?.reject(stopped())
  }

  const start = (
    kind: string,
    request: unknown,
    page: PageConnection | null,
    signal?: AbortSignal,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = deps.ids()
      const common = { file: null, error: null, createdAt: clock() }
      put({ id, kind, request, state: 'queued', ...common, caller: { page, resolve, reject } })
      signal?.addEventListener('abort', () => {
        // A page that is gone did not ask for this.
        const job = jobs.get(id)
        if (job && isAwaited(job)) void stop(id)
      })
      work.kick()
    })

  const wrapOne = <R extends ExportRoute>(route: R, handler: Handlers[R]): Handlers[R] => {
    kinds.set(route, {
      lane: 'exports',
      resumes: true,
      async execute(request, { page: connection, signal }) {
        const call = handler as (...call: unknown[]) => unknown
        if (connection !== noPage) return call(request, { connection, signal })
        // The row may be of a library that others have written.
        const parsed = (await routes[route]()).request.safeParse(request)
        if (!parsed.success) throw new AppError('NOT_FOUND', 'The request is not that of an export')
        return call(parsed.data, { connection, signal })
      },
      fileOf(result) {
        const reply = result as ReplyOf<ExportRoute>
        return 'media' in reply ? { mediaId: reply.media.id, name: reply.media.name } : reply
      },
    })
    const wrapped = (
      { callId, ...request }: { readonly callId?: string },
      { connection }: { readonly connection: PageConnection },
    ): Promise<unknown> =>
      callId === undefined
        ? start(route, request, connection)
        : calls.run(connection.id, callId, (signal) => start(route, request, connection, signal))
    return wrapped as Handlers[R]
  }

  return {
    wrap: (handlers) => ({
      ...handlers,
      ...Object.fromEntries(exportRoutes.map((route) => [route, wrapOne(route, handlers[route])])),
    }),
    define: (name, kind) => void kinds.set(name, kind),
    run: (name, request, signal) => start(name, request, null, signal),
    exports: () => [...jobs.values()].filter((job) => laneOf(job) === 'exports'),
    retry(id) {
      const job = jobs.get(id)
      if (job?.state !== 'failed') throw new AppError('NOT_FOUND', 'The export did not fail')
      put({ ...job, state: 'queued', error: null })
      work.kick()
    },
    remove: stop,
    resume() {
      for (const row of store.fileJobs.list()) {
        if (jobs.has(row.id)) continue
        const kind = kinds.get(row.kind)
        const isGone = row.file !== null && !store.media.get(row.file.mediaId)
        const job: Job = { ...row, state: isOpen(row) ? 'queued' : row.state, caller: null }
        if (kind?.resumes && !isGone) jobs.set(row.id, job)
        else save(() => store.fileJobs.remove(row.id))
      }
      work.kick()
    },
    busy: () => work.inFlight().some((job) => laneOf(job) === 'exports'),
    async stopAll() {
      await Promise.all([...jobs.keys()].map(stop))
    },
    async shutdown() {
      closing.abort()
      await work.shutdown()
      for (const { caller } of jobs.values()) caller?.reject(stopped())
    },
  }
}

const stopped = (): AppError => new AppError('CANCELLED', 'Stopped before it was finished')
