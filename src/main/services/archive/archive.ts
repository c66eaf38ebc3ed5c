import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { discard, removal } from '../../../system/file-moves.ts'
import type { ArchiveState } from '../../../shared/bridge/archive.ts'
import type { ArchiveJob, KindComparison } from '../../../shared/model/archive.ts'
import { localMinute } from '../../../shared/text/local-time.ts'
import type { ArchiveFound } from '../../archive/archive-worker.ts'
import type { ArchiveWritten } from '../../archive/export.ts'
import { isArchive } from '../../archive/zip-reader.ts'
import { archivePlaces } from '../../archive/target-folders.ts'
import { progressOwner, type ProgressOwner } from '../../archive/progress.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import { displayName } from '../../media/display-name.ts'
import { respondWithFile } from '../../media/respond.ts'
import { refuse } from '../../media/media-response.ts'
import type { MergeCounts } from '../../store/archive-merge.ts'
import { backupPath, pruneBackups } from '../../store/backup.ts'
import type { FileHost } from '../../host.ts'
import { fromFileSystem } from '../../store/file-errors.ts'
import { storePaths } from '../../store/paths.ts'
import type { Store } from '../../store/types.ts'
import { writeCopy } from '../saves/write-copy.ts'
import type { Saves } from '../saves/saves.ts'
import { receiveArchive } from './receive-archive.ts'
import { createArchiveWorker, type ArchiveWorker } from './worker.ts'

/** What archives are built from. */
export interface ArchiveDeps {
  /** Names of backups that are never pruned: an update needs them for its way back. */
  neededBackups(): readonly string[]
  readonly home: string
  readonly version: string
  readonly store: Pick<Store, 'exchange' | 'writable'>
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The local service's folder, and its end: it is started again when it is needed. */
  readonly localHome: string
  readonly local: { stop(): Promise<void> }
  /** Whether anything works that writes into the library. */
  busy(): boolean
  readonly fileHost?: Pick<FileHost, 'saveDialog' | 'openDialog'> | undefined
  /** Permissions of an archive that the user saves; 0600 when absent. */
  readonly userFileMode?: number | undefined
  /** Registers an archive that was written where the user chose; gives the id that shows it there. */
  saved: Saves['saved']
  onJob(job: ArchiveJob | null): void
  /** Another library lies behind the store. */
  onExchanged(): void
}

/** The library as one file: written, fetched, looked into, taken in. */
export interface Archives {
  state(): ArchiveState
  export(
    options: { ids?: readonly string[] | undefined; verify: boolean },
    connectionId: string,
  ): Promise<ArchiveState>
  inspect(connectionId: string): Promise<ArchiveState>
  /** Looks into a file that the user opened with Lectern. Throws ARCHIVE_REFUSED for one that is no archive of a library. */
  open(path: string): Promise<void>
  takeIn(): ArchiveState
  cancel(): ArchiveState
  forget(): Promise<ArchiveState>
  /** An archive arrives (`PUT /archive`) under this name. */
  receive(request: Request, name: string): Promise<number>
  /** `/media/archive-<id>`: the archive that was written last. */
  respond(request: Request, name: string): Promise<Response>
  readonly worker: ArchiveWorker
  shutdown(): Promise<void>
}

/** Milliseconds between two tellings of how far it is. */
const reportMs = 250

/** Builds the use case; what an earlier run left half written is removed. */
export function createArchives(deps: ArchiveDeps): Archives {
  const { home, clock, log, fileHost } = deps
  const places = archivePlaces(home)
  const paths = storePaths(home)
  const worker = createArchiveWorker(deps.workerUrl, clock)
  let job: ArchiveJob | null = null
  let progress: ProgressOwner | null = null
  let running: Promise<void> | null = null
  let held = false
  /** The archive that was looked into, or arrived to be. */
  let source: { readonly path: string; readonly name: string } | null = null
  let written: string | null = null
  const swept = rm(places.out, removal).catch(() => undefined)

  const state = (): ArchiveState => ({ job, dialogs: fileHost !== undefined })
  const report = (next: ArchiveJob | null): void => {
    job = next
    deps.onJob(next)
  }
  const assertFree = (): void => {
    if (running || held)
      throw new AppError('WORK_UNDER_WAY', 'An archive is under way', {
        retriable: true,
        params: { problem: 'archive' },
      })
  }

  /** Nothing else begins until it is over. Throws WORK_UNDER_WAY. */
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    assertFree()
    held = true
    try {
      return await work()
    } finally {
      held = false
    }
  }

  /** Runs one piece of work as the job; what it gives becomes part of it. Throws WORK_UNDER_WAY when another began first. */
  function start(
    what: ArchiveJob['what'],
    file: string,
    work: (progress: ProgressOwner) => Promise<Partial<ArchiveJob>>,
  ): ArchiveState {
    assertFree()
    const owner = progressOwner()
    progress = owner
    report({
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
      taken: null,
    })
    const timer = setInterval(() => job && report({ ...job, ...owner.read() }), reportMs)
    running = work(owner)
      .then(
        (result) => {
          if (job) report({ ...job, ...owner.read(), ...result, state: 'done' })
        },
        (error: unknown) => {
          const failure = toFailure(fromFileSystem(error), clock())
          log.warn('archive', { what, code: failure.code, error: String(error) })
          const params = { ...failure.params, file }
          if (job) report({ ...job, ...owner.read(), state: 'failed', error: { ...failure, params } })
        },
      )
      .finally(() => {
        clearInterval(timer)
        running = null
        progress = null
      })
    return state()
  }

  async function chooseSource(connectionId: string): Promise<void> {
    if (!fileHost || source) return
    const path = await fileHost.openDialog(['zip'], connectionId)
    // Another window may have chosen one meanwhile, and begun.
    assertFree()
    source = path === null ? null : { path, name: basename(path) }
  }

  const inspectArchive = (from: { readonly path: string; readonly name: string }): ArchiveState =>
    start('look', from.name, async (owner) => {
      const unpacking = { home, archive: from.path, into: places.staged }
      const answer = await worker.call({ task: 'look', unpacking, database: paths.database }, owner)
      return { found: foundIn(answer.found) }
    })

  const common = { home, database: paths.database, computer: deps.localHome }

  return {
    state,
    worker,
    async export({ ids, verify }, connectionId) {
      assertFree()
      const at = clock()
      const name = fileName(at, ids !== undefined)
      const id = deps.ids()
      const saveRequest = { suggestedName: name, extension: 'zip', use: 'archive' } as const
      const chosen = fileHost ? await fileHost.saveDialog(saveRequest, connectionId) : join(places.out, id)
      if (chosen === null) return state()
      await swept
      return start('export', fileHost ? basename(chosen) : name, async (owner) => {
        if (written !== null) await discard(written, log)
        written = fileHost ? null : chosen
        const mode = fileHost ? deps.userFileMode : undefined
        const write = async (to: string): Promise<ArchiveWritten> => {
          const task = { ...common, to, app: deps.version, at, verify, ...(mode && { mode }) }
          const only = ids && { only: ids }
          const answer = await worker.call({ task: 'export', options: { ...task, ...only } }, owner)
          return answer.written
        }
        const result: { written?: ArchiveWritten } = {}
        if (fileHost)
          await writeCopy({ path: chosen, mode: mode ?? 0o600, home }, async (fresh) => {
            result.written = await write(fresh)
          })
        else result.written = await write(chosen)
        const { bytes = 0, files = 0, missing = [] } = result.written ?? {}
        const fetchId = fileHost ? null : `archive-${id}`
        const savedId = fileHost ? deps.saved(chosen, 'archive') : null
        return {
          written: { bytes, files, missing: missing.length, fetchId, savedId, verified: verify },
        }
      })
    },
    async inspect(connectionId) {
      assertFree()
      await chooseSource(connectionId)
      return source ? inspectArchive(source) : state()
    },
    async open(path) {
      if (!deps.store.writable) throw new AppError('READ_ONLY', 'The library is read-only')
      if (!(await isArchive(path)))
        throw new AppError('ARCHIVE_REFUSED', 'This is no archive of a library', {
          params: { reason: 'foreign' },
        })
      assertFree()
      source = { path, name: basename(path) }
      inspectArchive(source)
    },
    takeIn() {
      assertFree()
      const from = source
      if (!from || !deps.store.writable) throw new AppError('REFUSED', 'No archive was looked into')
      // Asked before hours of unpacking, and once more in the moment of the exchange.
      assertIdle(deps)
      return start('take-in', from.name, async (owner) => {
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
        return { taken: { kinds: kindsOf(answer.counts) } }
      })
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
    async shutdown() {
      progress?.cancel()
      await running
      await worker.close()
    },
  }
}

/** Throws WORK_UNDER_WAY while anything works that writes. */
export function assertIdle(deps: { busy(): boolean }): void {
  if (deps.busy())
    throw new AppError('WORK_UNDER_WAY', 'Something is being worked on', { retriable: true })
}

/** `Lectern 2026-01-31 0959.lectern.zip`: any program opens it, and nobody takes it for a plain folder. */
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
