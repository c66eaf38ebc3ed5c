import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { discard, removal } from '../../../../../system/file-moves.ts'
import { routes } from '../../../../../shared/contract/routes.ts'
import type { ArchiveState } from '../../../../../shared/contract/archive.ts'
import type { ArchiveJob, KindComparison } from '../../../../../shared/model/archive.ts'
import { localMinute } from '../../../../../shared/text/local-time.ts'
import type { ArchiveAnswer, ArchiveFound, ArchiveRequest } from '../../archive/archive-worker.ts'
import type { ArchiveWritten } from '../../archive/export.ts'
import { isArchive } from '../../archive/archive-file.ts'
import { archivePlaces, type ArchivePlaces } from '../../archive/layout.ts'
import { progressOwner, type ProgressOwner } from '../../../../platform/zip/progress.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { displayName } from '../../../../platform/files/display-name.ts'
import { respondWithFile, refuse } from '../../../../platform/files/media-response.ts'
import type { MergeCounts } from '../../archive/archive-merge.ts'
import { backupPath, pruneBackups } from '../../../../library-database/backup.ts'
import type { FileHost } from '../../../../host.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import { storePaths } from '../../../../platform/database/paths.ts'
import type { Store } from '../../../../library-database/store.ts'
import { writeCopy } from '../saves/write-copy.ts'
import type { Saves } from '../saves/saves.ts'
import type { FileJobs } from '../file-jobs/file-jobs.ts'
import type { WorkerUrl } from '../../../../deps.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'
import type { Context } from '../../../../context.ts'
import { assertFreeSpace, ownFolder } from '../../archive/disk.ts'

interface ArchiveDeps extends Pick<
  Context,
  'home' | 'version' | 'workerUrl' | 'clock' | 'ids' | 'log' | 'emit'
> {
  /** Returns the names of backups that are never pruned: an update needs them for a rollback. */
  neededBackups(): readonly string[]
  readonly store: Pick<Store, 'exchange' | 'writable'>
  /** Folder of the local service, and a function that stops it: it is started again when needed. */
  readonly localHome: string
  readonly local: { stop(): Promise<void> }
  /** Whether any job that writes to the library is running. */
  busy(): boolean
  readonly fileHost?: Pick<FileHost, 'saveDialog' | 'openDialog'> | undefined
  /** Permissions of an archive that the user saves; 0600 when absent. */
  readonly userFileMode?: number | undefined
  /** Registers an archive written to a location chosen by the user; returns the ID used to show it there. */
  saved: Saves['saved']
  readonly fileJobs: Pick<FileJobs, 'define' | 'run'>
  /** Called when the store uses another library. */
  onExchanged(): void
}

/** The library as one file: export, download, inspection, import. */
export interface Archives {
  state(): ArchiveState
  export(
    options: { ids?: readonly string[] | undefined; verify: boolean },
    connectionId: string,
  ): Promise<ArchiveState>
  inspect(connectionId: string): Promise<ArchiveState>
  /** Inspects a file that the user opened with Lectern. Throws ARCHIVE_REFUSED if it is not a library archive. */
  open(path: string): Promise<void>
  import(): ArchiveState
  cancel(): ArchiveState
  forget(): Promise<ArchiveState>
  /** Receives an archive (`PUT /archive`) under this name. */
  receive(request: Request, name: string): Promise<number>
  /** Serves `/media/archive-<id>`: the archive that was written last. */
  respond(request: Request, name: string): Promise<Response>
  readonly worker: ArchiveWorker
  shutdown(): Promise<void>
}

/** A request, without the shared memory that reports progress. */
type ArchiveWorkerRequest = ArchiveRequest extends infer R
  ? R extends unknown
    ? Omit<R, 'memory'>
    : never
  : never

/** Client of the archive worker, which runs one task at a time. */
export interface ArchiveWorker {
  /** Throws a failure as an AppError with its parameters. */
  call<T extends ArchiveWorkerRequest['task']>(
    request: Extract<ArchiveWorkerRequest, { task: T }>,
    progress?: ProgressOwner,
  ): Promise<Extract<ArchiveAnswer, { task: T }>>
  close(): Promise<void>
}

/** An export, without the path that the user chose: a library must not be able to name one. */
interface ExportTask {
  readonly id: string
  /** Name for the user. */
  readonly file: string
  readonly ids?: readonly string[] | undefined
  readonly verify: boolean
}

/** Milliseconds between two progress reports. */
const reportMs = 250

/** Creates the archive service; removes partial files of an earlier run. */
export function createArchives(deps: ArchiveDeps): Archives {
  const { home, clock, log, fileHost } = deps
  const places = archivePlaces(home)
  const paths = storePaths(home)
  const worker = createArchiveWorker(deps.workerUrl)
  let job: ArchiveJob | null = null
  let progress: ProgressOwner | null = null
  let held = false
  /** The archive that was inspected, or received for inspection. */
  let source: { readonly path: string; readonly name: string } | null = null
  let written: string | null = null
  /** Where the user saves the exports of this run, by their ID. */
  const targets = new Map<string, string>()
  const swept = rm(places.out, removal).catch(() => undefined)

  const state = (): ArchiveState => ({ job, dialogs: fileHost !== undefined })
  const report = (next: ArchiveJob | null): void => {
    job = next
    deps.emit({ type: 'archive.changed', job: next })
  }
  const assertFree = (): void => {
    if (job?.state === 'running' || held)
      throw new AppError('WORK_UNDER_WAY', 'An archive is already being processed', {
        retriable: true,
        params: { problem: 'archive' },
      })
  }

  /** Runs work exclusively: nothing else starts before it ends. Throws WORK_UNDER_WAY. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    assertFree()
    held = true
    try {
      return await work()
    } finally {
      held = false
    }
  }

  /** Starts a task as the job. Throws WORK_UNDER_WAY when another one started first. */
  function start(
    what: ArchiveJob['what'],
    task: { readonly file: string; readonly [field: string]: unknown },
  ): ArchiveState {
    assertFree()
    report(newJob(what, task.file))
    void deps.fileJobs.run(`archive.${what}`, task).catch(() => undefined)
    return state()
  }
  const newJob = (what: ArchiveJob['what'], file: string): ArchiveJob => ({
    id: deps.ids(),
    what,
    state: 'running',
    phase: 'preparing',
    done: 0,
    total: 0,
    file,
    startedAt: clock(),
    error: null,
    written: null,
    found: null,
    imported: null,
  })

  /** Defines how a task is executed; its result is added to the job, which also reports a failure. */
  function define(
    what: ArchiveJob['what'],
    work: (task: object, progress: ProgressOwner) => Promise<Partial<ArchiveJob>>,
  ): void {
    const execute = async (task: { readonly file?: unknown }, signal: AbortSignal) => {
      const owner = progressOwner()
      progress = owner
      signal.addEventListener('abort', () => owner.cancel())
      const timer = setInterval(() => job && report({ ...job, ...owner.read() }), reportMs)
      try {
        const result = await work(task, owner)
        if (job) report({ ...job, ...owner.read(), ...result, state: 'done' })
      } catch (error) {
        const failure = toFailure(fromFileSystem(error), clock())
        log.warn('archive job failed', { what, code: failure.code, error: String(error) })
        const params = { ...failure.params, file: String(task.file) }
        if (job) report({ ...job, ...owner.read(), state: 'failed', error: { ...failure, params } })
      } finally {
        clearInterval(timer)
        progress = null
      }
    }
    deps.fileJobs.define(`archive.${what}`, {
      lane: 'archives',
      // An import that was interrupted is undone or finished by its journal.
      afterRestart: what === 'export' ? 'report' : 'forget',
      execute: (task, { signal }) => execute(task, signal),
      fileOf: () => null,
      async restart(task, page) {
        // The row may be of a library that others have written.
        const { request } = await routes['archive.export']()
        const { ids, verify } = request.parse({ ids: task['ids'], verify: task['verify'] })
        await exportTo({ ids, verify }, page.id)
      },
    })
  }

  async function chooseSource(connectionId: string): Promise<void> {
    if (!fileHost || source) return
    const path = await fileHost.openDialog(['zip'], connectionId)
    // Another window may have chosen a file meanwhile and started a job.
    assertFree()
    source = path === null ? null : { path, name: basename(path) }
  }

  const needSource = () => {
    if (!source) throw new AppError('REFUSED', 'No archive was inspected')
    return source
  }
  const inspectArchive = (from: { readonly name: string }): ArchiveState =>
    start('inspect', { file: from.name })
  const common = { home, database: paths.database, computer: deps.localHome }

  define('inspect', async (_, owner) => {
    const unpacking = { home, archive: needSource().path, into: places.staged }
    const answer = await worker.call(
      { task: 'inspect', unpacking, database: paths.database },
      owner,
    )
    return { found: foundIn(answer.found) }
  })
  define('export', async (task, owner) => {
    const { id, ids, verify } = task as ExportTask
    await swept
    if (written !== null) await discard(written, log)
    written = null
    const chosen = targets.get(id)
    targets.delete(id)
    // Without dialogs, the page saves it afterwards.
    const fetchId = chosen === undefined ? `archive-${deps.ids()}` : null
    const path = chosen ?? join(places.out, fetchId ?? id)
    if (fetchId !== null) written = path
    const mode = chosen === undefined ? undefined : deps.userFileMode
    const write = async (to: string): Promise<ArchiveWritten> => {
      const options = {
        ...common,
        to,
        app: deps.version,
        at: clock(),
        verify,
        ...(mode && { mode }),
      }
      const only = ids && { only: ids }
      const answer = await worker.call({ task: 'export', options: { ...options, ...only } }, owner)
      return answer.written
    }
    const result: { written?: ArchiveWritten } = {}
    if (chosen !== undefined)
      await writeCopy({ path, mode: mode ?? 0o600, home }, async (fresh) => {
        result.written = await write(fresh)
      })
    else result.written = await write(path)
    const { bytes = 0, files = 0, missing = [] } = result.written ?? {}
    const savedId = fetchId === null ? deps.saved(path, 'archive') : null
    return {
      written: { bytes, files, missing: missing.length, fetchId, savedId, verified: verify },
    }
  })
  define('import', async (_, owner) => {
    const from = needSource()
    const unpacking = { home, archive: from.path, into: places.staged }
    const { unpacked } = await worker.call({ task: 'unpack', unpacking }, owner)
    await deps.local.stop()
    const at = clock()
    const keepAs = backupPath(paths, at, 'before-import')
    const { known } = unpacked
    const mark = { id: deps.ids(), at, file: from.name }
    const placing = { ...common, staged: places.staged, known, mark, keepAs }
    const answer = await deps.store.exchange(
      () => worker.call({ task: 'place', placing }, owner),
      () => assertIdle(deps),
    )
    source = null
    pruneBackups(paths.backups, keepAs, at, deps.neededBackups())
    deps.onExchanged()
    return { imported: { kinds: kindsOf(answer.counts) } }
  })

  const exportTo: Archives['export'] = async ({ ids, verify }, connectionId) => {
    assertFree()
    const at = clock()
    const name = fileName(at, ids !== undefined)
    const id = deps.ids()
    const saveRequest = { suggestedName: name, extension: 'zip', use: 'archive' } as const
    const chosen = await fileHost?.saveDialog(saveRequest, connectionId)
    if (chosen === null) return state()
    if (chosen !== undefined) targets.set(id, chosen)
    const file = chosen === undefined ? name : basename(chosen)
    return start('export', { id, file, ids, verify })
  }

  return {
    state,
    worker,
    export: exportTo,
    async inspect(connectionId) {
      assertFree()
      await chooseSource(connectionId)
      return source ? inspectArchive(source) : state()
    },
    async open(path) {
      if (!deps.store.writable) throw new AppError('READ_ONLY', 'The library is read-only')
      if (!(await isArchive(path)))
        throw new AppError('ARCHIVE_REFUSED', 'This is not a library archive', {
          params: { reason: 'foreign' },
        })
      assertFree()
      source = { path, name: basename(path) }
      inspectArchive(source)
    },
    import() {
      assertFree()
      const { name } = needSource()
      if (!deps.store.writable) throw new AppError('READ_ONLY', 'The library is read-only')
      // Checked before hours of unpacking, and again right before the exchange.
      assertIdle(deps)
      return start('import', { file: name })
    },
    cancel() {
      progress?.cancel()
      return state()
    },
    async forget() {
      return alone(async () => {
        source = null
        if (written !== null) await discard(written, log)
        written = null
        await rm(places.in, removal)
        report(null)
        return state()
      })
    },
    receive: (request, name) =>
      alone(async () => {
        source = null
        const bytes = await receiveArchive(request, places)
        source = { path: places.arrived, name: displayName(name) }
        return bytes
      }),
    async respond(request, name) {
      const id = job?.written?.fetchId
      if (!job || id !== name || written === null) return refuse(404, 'NOT_FOUND')
      const media = { id: name, mime: 'application/zip', name: job.file, bytes: 0 }
      return respondWithFile(
        request,
        { ...media, sha256: '', duration: null, createdAt: 0 },
        written,
      )
    },
    shutdown: () => worker.close(),
  }
}

/** Throws WORK_UNDER_WAY while a job that writes is running. */
export function assertIdle(deps: { busy(): boolean }): void {
  if (deps.busy())
    throw new AppError('WORK_UNDER_WAY', 'Another job is running', { retriable: true })
}

/** `Lectern 2026-01-31 0959.lectern.zip`: any program opens it, and it is not mistaken for a plain folder. */
function fileName(at: number, isSelection: boolean): string {
  const minute = localMinute(at).replace(':', '')
  return `Lectern ${isSelection ? 'selection ' : ''}${minute}.lectern.zip`
}

const kindsOf = (counts: MergeCounts): readonly KindComparison[] =>
  Object.entries(counts).map(([kind, numbers]) => ({ kind, ...numbers }))

function foundIn({ manifest, files, bytes, compared }: ArchiveFound) {
  const { app, scope, at, missing, counts } = manifest
  const { kinds, added, newer } = compared
  const rest = { missing: missing.length, kinds: kindsOf(kinds), added, newer, counts }
  return { app, scope, at, files, bytes, ...rest }
}

/** Number of bytes after which the free space is checked again. */
const inspectedBytes = 8 * 1024 * 1024

/**
 * Streams an archive to the disk with backpressure, and only while there is enough free space, whatever its actual or
 * declared length. Throws DISK_FULL, EMPTY_FILE or CANCELLED, and then leaves nothing behind.
 */
export async function receiveArchive(request: Request, places: ArchivePlaces): Promise<number> {
  if (!request.body) throw new AppError('EMPTY_FILE', 'The archive is empty')
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  try {
    await rm(places.in, removal)
    await ownFolder(places.in)
    if (Number.isSafeInteger(declared) && declared > 0) await assertFreeSpace(places.in, declared)
    const to = createWriteStream(places.arrived, { flags: 'wx', mode: 0o600 })
    await pipeline(request.body, whileThereIsRoom(places.in), to, { signal: request.signal })
    if (to.bytesWritten === 0) throw new AppError('EMPTY_FILE', 'The archive is empty')
    if (Number.isSafeInteger(declared) && to.bytesWritten < declared) throw brokenOff()
    return to.bytesWritten
  } catch (error) {
    await rm(places.in, removal)
    if (error instanceof AppError) throw error
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? error
      : brokenOff(error)
  }
}

/** Passes bytes through until the free space is only what the rest of the work needs; then fails with DISK_FULL. */
function whileThereIsRoom(folder: string): Transform {
  let since = inspectedBytes
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      since += chunk.byteLength
      if (since < inspectedBytes) return done(null, chunk)
      since = 0
      assertFreeSpace(folder, inspectedBytes).then(
        () => done(null, chunk),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
}

const brokenOff = (cause?: unknown): AppError =>
  new AppError('CANCELLED', 'The archive is truncated', { retriable: true, cause })

/** Starts the program with its first task and ends it after the last: it has buffers of several megabytes. */
function createArchiveWorker(workerUrl: WorkerUrl): ArchiveWorker {
  const client = createWorkerClient<ArchiveRequest, ArchiveAnswer>({
    url: workerUrl('archive'),
    name: 'Archive',
    idleMs: 0,
  })
  return {
    async call<T extends ArchiveWorkerRequest['task']>(
      request: Extract<ArchiveWorkerRequest, { task: T }>,
      { memory } = progressOwner(),
    ): Promise<Extract<ArchiveAnswer, { task: T }>> {
      const answer = await client.call({ ...(request as ArchiveWorkerRequest), memory })
      if (answer.task === 'failed') {
        const { code, message, retriable, params } = answer.failure
        throw new AppError(code, message, { retriable, ...(params && { params }) })
      }
      // The program answers each task with the matching answer type.
      return answer as Extract<ArchiveAnswer, { task: T }>
    },
    close: () => client.close(),
  }
}
