import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ArchiveState } from '../../../shared/bridge/archive.ts'
import type { ArchiveJob, KindComparison } from '../../../shared/model/archive.ts'
import type { ArchiveFound } from '../../archive/desk.ts'
import { archivePlaces } from '../../archive/places.ts'
import { progressOwner, type ProgressOwner } from '../../archive/progress.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import { displayName } from '../../media/display-name.ts'
import { respondWithFile } from '../../media/respond.ts'
import { refuse } from '../../media/answer.ts'
import type { MergeCounts } from '../../store/archive-merge.ts'
import { backupPath, pruneBackups } from '../../store/backup.ts'
import type { Keys } from '../../secrets/keys.ts'
import { fromFileSystem } from '../../store/file-errors.ts'
import { storePaths } from '../../store/paths.ts'
import type { Store } from '../../store/types.ts'
import { receiveArchive } from './arrival.ts'
import { createArchiveWorker, type ArchiveWorker } from './worker.ts'

/** What archives are built from. */
export interface ArchiveDeps {
  readonly home: string
  readonly version: string
  readonly store: Pick<Store, 'accounts' | 'exchange' | 'writable'>
  readonly keys: Pick<Keys, 'clear'>
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The local service's folder, and its end: it is started again when it is needed. */
  readonly localHome: string
  readonly local: { stop(): Promise<void> }
  /** Whether anything works that writes into the library. */
  busy(): boolean
  readonly dialogs?:
    | { save(name: string): Promise<string | null>; open(): Promise<string | null> }
    | undefined
  onJob(job: ArchiveJob | null): void
  /** Another library lies behind the store. */
  onExchanged(): void
}

/** The library as one file: written, fetched, looked into, taken in. */
export interface Archives {
  state(): ArchiveState
  export(wish: { ids?: readonly string[] | undefined; verify: boolean }): Promise<ArchiveState>
  look(): Promise<ArchiveState>
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
const tellMs = 250

/** Builds the use case; what an earlier run left half written is removed. */
export function createArchives(deps: ArchiveDeps): Archives {
  const { home, clock, log, dialogs } = deps
  const places = archivePlaces(home)
  const paths = storePaths(home)
  const worker = createArchiveWorker(deps.workerUrl, clock)
  let job: ArchiveJob | null = null
  let progress: ProgressOwner | null = null
  let running: Promise<void> | null = null
  let arriving = false
  /** The archive that was looked into, or arrived to be. */
  let source: { readonly path: string; readonly name: string } | null = null
  let written: string | null = null
  const swept = rm(places.out, { recursive: true, force: true }).catch(() => undefined)

  const state = (): ArchiveState => ({ job, dialogs: dialogs !== undefined })
  const tell = (next: ArchiveJob | null): void => {
    job = next
    deps.onJob(next)
  }
  const mustBeFree = (): void => {
    if (running || arriving)
      throw new AppError('WORK_UNDER_WAY', 'An archive is under way', {
        retriable: true,
        params: { problem: 'archive' },
      })
  }

  /** Runs one piece of work as the job; what it gives becomes part of it. */
  function start(
    what: ArchiveJob['what'],
    file: string,
    work: (progress: ProgressOwner) => Promise<Partial<ArchiveJob>>,
  ): ArchiveState {
    const owner = progressOwner()
    progress = owner
    tell({
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
    const timer = setInterval(() => job && tell({ ...job, ...owner.read() }), tellMs)
    running = work(owner)
      .then(
        (result) => {
          if (job) tell({ ...job, ...owner.read(), ...result, state: 'done' })
        },
        (error: unknown) => {
          const failure = toFailure(fromFileSystem(error), clock())
          log.warn('archive', { what, code: failure.code, error: String(error) })
          const params = { ...failure.params, file }
          if (job) tell({ ...job, ...owner.read(), state: 'failed', error: { ...failure, params } })
        },
      )
      .finally(() => {
        clearInterval(timer)
        running = null
        progress = null
      })
    return state()
  }

  async function chooseSource(): Promise<void> {
    if (!dialogs || source) return
    const path = await dialogs.open()
    source = path === null ? null : { path, name: basename(path) }
  }

  const common = { home, database: paths.database, computer: deps.localHome }

  return {
    state,
    worker,
    async export({ ids, verify }) {
      mustBeFree()
      const at = clock()
      const name = fileName(at, ids !== undefined)
      const id = deps.ids()
      const chosen = dialogs ? await dialogs.save(name) : join(places.out, id)
      if (chosen === null) return state()
      mustBeFree()
      await swept
      if (written !== null) await rm(written, { force: true })
      written = dialogs ? null : chosen
      return start('export', dialogs ? basename(chosen) : name, async (owner) => {
        const wish = { ...common, to: chosen, app: deps.version, at, verify }
        const only = ids && { only: ids }
        const answer = await worker.call({ task: 'export', wish: { ...wish, ...only } }, owner)
        const { bytes, files, missing } = answer.written
        const fetchId = dialogs ? null : `archive-${id}`
        return {
          written: { bytes, files, missing: missing.length, fetchId, verified: verify },
        }
      })
    },
    async look() {
      mustBeFree()
      await chooseSource()
      const from = source
      if (!from) return state()
      return start('look', from.name, async (owner) => {
        const unpacking = { home, archive: from.path, into: places.staged }
        const answer = await worker.call(
          { task: 'look', unpacking, database: paths.database },
          owner,
        )
        return { found: foundIn(answer.found) }
      })
    },
    takeIn() {
      mustBeFree()
      const from = source
      if (!from || !deps.store.writable) throw new AppError('REFUSED', 'No archive was looked into')
      // Asked before hours of unpacking, and once more in the moment of the exchange.
      mustBeIdle(deps)
      return start('take-in', from.name, async (owner) => {
        const unpacking = { home, archive: from.path, into: places.staged }
        const { unpacked } = await worker.call({ task: 'unpack', unpacking }, owner)
        await forgetKeys(deps, unpacked.accounts)
        await deps.local.stop()
        const at = clock()
        const keepAs = backupPath(paths, at, 'before-import')
        const { known } = unpacked
        const mark = { id: deps.ids(), at, file: from.name }
        const placing = { ...common, staged: places.staged, known, mark, keepAs }
        const answer = await deps.store.exchange(
          () => worker.call({ task: 'place', placing }, owner),
          () => mustBeIdle(deps),
        )
        source = null
        pruneBackups(paths.backups, keepAs, at)
        deps.onExchanged()
        return { taken: { kinds: kindsOf(answer.counts) } }
      })
    },
    cancel() {
      progress?.cancel()
      return state()
    },
    async forget() {
      mustBeFree()
      source = null
      if (written !== null) await rm(written, { force: true })
      written = null
      await rm(places.in, { recursive: true, force: true })
      tell(null)
      return state()
    },
    async receive(request, name) {
      mustBeFree()
      source = null
      arriving = true
      try {
        const bytes = await receiveArchive(request, places)
        source = { path: places.arrived, name: displayName(name) }
        return bytes
      } finally {
        arriving = false
      }
    },
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
export function mustBeIdle(deps: { busy(): boolean }): void {
  if (deps.busy())
    throw new AppError('WORK_UNDER_WAY', 'Something is being worked on', { retriable: true })
}

/**
 * A key that an earlier library left in the keychain was given to a host that nobody here knows any more: it does not go to the one that
 * an archive names. Throws KEYCHAIN_LOCKED; where there is no keychain, none can be left.
 */
async function forgetKeys({ store, keys }: ArchiveDeps, ids: readonly string[]): Promise<void> {
  for (const id of ids) if (!store.accounts.get(id)) await keys.clear(id)
}

/** `Lectern 2026-01-31 0959.lectern.zip`: any program opens it, and nobody takes it for a plain folder. */
function fileName(at: number, isSelection: boolean): string {
  const stamp = new Date(at).toISOString()
  const day = `${stamp.slice(0, 10)} ${stamp.slice(11, 13)}${stamp.slice(14, 16)}`
  return `Lectern ${isSelection ? 'selection ' : ''}${day}.lectern.zip`
}

const kindsOf = (counts: MergeCounts): readonly KindComparison[] =>
  Object.entries(counts).map(([kind, numbers]) => ({ kind, ...numbers }))

function foundIn({ manifest, files, bytes, compared }: ArchiveFound) {
  const { app, scope, at, missing, counts } = manifest
  const { kinds, added, newer } = compared
  const rest = { missing: missing.length, kinds: kindsOf(kinds), added, newer, counts }
  return { app, scope, at, files, bytes, ...rest }
}
