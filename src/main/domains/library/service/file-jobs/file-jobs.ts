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
import { waitUntilIdle } from '../../../../work-queue/wait-briefly.ts'
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

/** Exports that take minutes: audio, and packs of files. The others must not wait for them. */
const longRoutes: readonly ExportRoute[] = [
  'meetings.exportAudio',
  'speech.export',
  'tasks.pack',
  'slides.pack',
  'embeddings.export',
]

/** A request as the page sent it, without its call ID. */
type FileRequest = Readonly<Record<string, unknown>>

/** One kind of jobs. */
interface JobKind {
  /** Jobs of a lane are executed one after another, as many at once as it has places. */
  readonly lane: keyof typeof places
  /** What the next start does with an unfinished one; `report`: it says that it was interrupted, and the user starts it again. */
  readonly afterRestart: 'continue' | 'report' | 'forget'
  execute(
    request: FileRequest,
    context: { page: PageConnection; signal: AbortSignal },
  ): Promise<unknown>
  /** The file of a result that no page has received, for the user to save; null: nothing is left to do. */
  fileOf(result: unknown): WrittenFile | null
  /** Starts an interrupted one again, if that needs more than its request. */
  restart?(request: FileRequest, page: PageConnection): Promise<void>
}

/** Number of jobs executed at once. */
const places = { exports: 4, longExports: 2, archives: 1 } as const

/** Number of starts after which an export is not continued: it may be what ended Lectern. */
const maxStarts = 2

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
  run(name: string, request: FileRequest): Promise<unknown>
  /** Jobs for the list of jobs, oldest first: exports, and interrupted archives. */
  list(): readonly FileJobRecord[]
  /** Executes a failed job again. Throws NOT_FOUND. */
  retry(id: string, page: PageConnection): Promise<void>
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
  /** Those whose handler has not returned yet, even if they were stopped. */
  const executing = new Set<Promise<unknown>>()
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
  const put = (job: Job): Job => {
    jobs.set(job.id, job)
    const { caller: _, ...row } = job
    const isStored = (kinds.get(job.kind)?.afterRestart ?? 'forget') !== 'forget'
    if (isStored) save(() => jobs.get(job.id) === job && store.fileJobs.put(row))
    deps.emit({ type: 'work.changed' })
    return job
  }
  const drop = ({ id }: FileJobRecord): void => {
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

  const work = deps.workQueue.add<Job>({
    about: 'file job',
    // Its lanes are no accounts.
    isLocal: true,
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ id }) => id,
    takesTurns: false,
    priority: () => 0,
    accounts: () => Object.keys(places),
    size: (lane) => places[lane as keyof typeof places],
    next: ({ accountId: lane, except, exceptGroups }) =>
      [...jobs.values()].find(
        (job) =>
          isOpen(job) &&
          kinds.get(job.kind)?.lane === lane &&
          !except.includes(job.id) &&
          !exceptGroups.includes(job.id),
      ),
    nextTime: () => null,
    async execute({ id, kind: name }, signal) {
      const queued = jobs.get(id)
      const kind = kinds.get(name)
      if (!queued || !kind) return 'unsent'
      const job = put({ ...queued, state: 'running', starts: queued.starts + 1 })
      const page = job.caller?.page ?? noPage
      const result = kind.execute(job.request, { page, signal })
      executing.add(result)
      try {
        const value = await result
        // A job that was stopped meanwhile is gone, whatever its handler returns; a shutdown leaves it to the next start.
        if (!closing.signal.aborted && jobs.has(id)) succeed(job, value)
      } catch (error) {
        if (!closing.signal.aborted && jobs.has(id)) fail(job, error)
      } finally {
        executing.delete(result)
      }
      return 'unsent'
    },
    attempts: () => 1,
    wait: () => undefined,
    fail: () => undefined,
    stopped: () => undefined,
  })

  /** A stop is final before the handler has noticed it. */
  const stop = async (id: string): Promise<void> => {
    const job = jobs.get(id)
    if (!job) return
    drop(job)
    job.caller?.reject(stopped())
    await work.stop((one) => one.id === id)
  }

  const start = (
    kind: string,
    request: FileRequest,
    page: PageConnection | null,
    signal?: AbortSignal,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closing.signal.aborted) return reject(stopped())
      const id = deps.ids()
      const common = { starts: 0, file: null, error: null, createdAt: clock() }
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
      lane: longRoutes.includes(route) ? 'longExports' : 'exports',
      afterRestart: 'continue',
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

  /** Returns a job as the next start takes it up; null if nothing is left of it. */
  const takenUp = (row: FileJobRecord): Job | null => {
    const { afterRestart = 'forget' } = kinds.get(row.kind) ?? {}
    if (afterRestart === 'forget') return null
    const job: Job = { ...row, caller: null }
    const isInterrupted = afterRestart === 'report' || row.starts >= maxStarts
    if (isOpen(row) && isInterrupted) {
      const error = toFailure(new AppError('LEFT_UNFINISHED', 'Lectern has quit'), clock())
      return { ...job, state: 'failed', error }
    }
    // Its file may be gone with a backup that was restored.
    const isMissing = row.state === 'ready' && !store.media.get(row.file?.mediaId ?? '')
    return isOpen(row) || isMissing ? { ...job, state: 'queued', file: null } : job
  }

  return {
    wrap: (handlers) => ({
      ...handlers,
      ...Object.fromEntries(exportRoutes.map((route) => [route, wrapOne(route, handlers[route])])),
    }),
    define: (name, kind) => void kinds.set(name, kind),
    run: (name, request) => start(name, request, null),
    list: () =>
      [...jobs.values()].filter(
        (job) => kinds.get(job.kind)?.lane !== 'archives' || job.state === 'failed',
      ),
    async retry(id, page) {
      const job = jobs.get(id)
      if (job?.state !== 'failed') throw new AppError('NOT_FOUND', 'The export did not fail')
      const { restart } = kinds.get(job.kind) ?? {}
      if (restart) {
        await restart(job.request, page)
        drop(job)
        return
      }
      put({ ...job, state: 'queued', starts: 0, error: null })
      work.kick()
    },
    remove: stop,
    resume() {
      for (const row of store.fileJobs.list()) {
        if (jobs.has(row.id)) continue
        const job = takenUp(row)
        if (job) put(job)
        else save(() => store.fileJobs.remove(row.id))
      }
      work.kick()
    },
    // An import is itself a file job, and must not wait for itself.
    busy: () => work.inFlight().some(({ kind }) => kinds.get(kind)?.lane !== 'archives'),
    async stopAll() {
      const running = [...executing]
      await Promise.all([...jobs.keys()].map(stop))
      // Whatever they still write must be there before everything is erased.
      await waitUntilIdle(() => running.some((one) => executing.has(one)))
    },
    async shutdown() {
      closing.abort()
      for (const { caller } of jobs.values()) caller?.reject(stopped())
      await work.shutdown()
    },
  }
}

const stopped = (): AppError => new AppError('CANCELLED', 'Stopped before it was finished')
