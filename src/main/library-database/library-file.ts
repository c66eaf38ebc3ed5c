import { existsSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { StorageNotice } from '../../shared/contract/app.ts'
import type { EntrySearchReply } from '../../shared/model/library-entry.ts'
import type { SearchReply } from '../../shared/model/library.ts'
import { removal } from '../../system/file-moves.ts'
import { archivePlaces } from '../domains/library/archive/layout.ts'
import type { Clock, Log, WorkerUrl } from '../deps.ts'
import { AppError } from '../errors.ts'
import { createWorkerClient, type WorkerClient } from '../platform/workers/client.ts'
import type { DatabaseCheckAnswer, DatabaseCheckRequest } from '../workers/database-check.ts'
import type { SearchWorkerData } from '../workers/search.ts'
import { makeBackup, type BackupLabel } from './backup.ts'
import type { ChatStore } from '../domains/chats/store/chats-types.ts'
import { planCheckpoints } from '../platform/database/checkpoints.ts'
import { createConnection, type Connection } from '../platform/database/connection.ts'
import type { Migration } from '../platform/database/migrate.ts'
import { openDatabase, type Opened, type OpeningDeps } from './opening.ts'
import { withSideFiles, type StorePaths } from '../platform/database/paths.ts'
import type { FindReply } from '../domains/library/store/search-find.ts'
import type { MessageSearchReply } from '../domains/library/store/search-messages.ts'
import type { SearchAnswer, SearchRequest } from '../domains/library/store/search-request.ts'
import {
  createSemanticSearchWorker,
  type SemanticSearchWorker,
} from '../domains/library/store/semantic-search-worker.ts'
import { isDamage } from '../platform/database/sqlite-errors.ts'
import type { SearchIndex } from './store.ts'

/** Milliseconds that closing waits for checks and copies to release the file. */
const patience = 150
/** Milliseconds that closing waits for a running checkpoint. */
const checkpointPatience = 2000

interface LibraryFileOptions {
  readonly paths: StorePaths
  readonly clock: Clock
  readonly log: Log
  readonly workerUrl: WorkerUrl
  readonly migrations: readonly Migration[]
  readonly appVersion?: string
  /** Names of backups that are never pruned. */
  neededBackups(): readonly string[]
  /** Called when damage was found and repaired after opening. */
  readonly onNotice: (notice: StorageNotice) => void
}

/** The open database file and its lifecycle: search off the main thread, checks, repair, copies, closing. */
export interface LibraryFile {
  readonly connection: Connection
  readonly search: SearchService
  readonly meaning: SemanticSearchWorker
  readonly notice: StorageNotice
  /** Whether a checkpoint is running: work that can wait does. */
  readonly isBringingIn: boolean
  /** Checks the whole file in a worker, and repairs it when damaged. */
  checkIntegrity(): Promise<void>
  /** Makes a backup (one at a time) and returns its path. */
  copy(label?: BackupLabel): Promise<string>
  /**
   * Closes the file, lets `work` replace it, and opens the resulting file. Meanwhile every call throws DATABASE_BUSY. `ready`
   * is called right before closing and may refuse by throwing.
   */
  exchange<T>(work: () => Promise<T>, ready: () => void): Promise<T>
  /** Stops copies and searches, runs a checkpoint and closes; safe to call twice. */
  close(): Promise<void>
}

/**
 * Milliseconds after which the worker for checks and checkpoints ends: longer than the usual pause between two writes of a user at
 * work, each of which would start it again. It needs 12 MB, a tenth of what the app at rest may need.
 */
const checkerIdleMs = 15_000

/** Opens the file; see `openDatabase` for the possible outcomes. */
export async function openLibraryFile(options: LibraryFileOptions): Promise<LibraryFile> {
  const { log } = options
  const checker = createWorkerClient<DatabaseCheckRequest, DatabaseCheckAnswer>({
    url: options.workerUrl('database-check'),
    name: 'Database check',
    idleMs: checkerIdleMs,
  })
  const deps: OpeningDeps = { ...options, ...checks(checker.call) }
  const connection = createConnection({ damage: repair })
  const seenDamage = (error: unknown): void => {
    if (error instanceof AppError && isDamage(error.cause)) repair(error)
  }
  const search = searchService(options.workerUrl('search'), seenDamage)
  const meaning = createSemanticSearchWorker(options.workerUrl('vectors'), seenDamage)
  let dispose = (): void => undefined
  let notice: StorageNotice = { state: 'ok' }
  const ending = new AbortController()
  let repairing: Promise<void> | null = null
  let copying: Promise<string> | null = null
  let exchanging: Promise<unknown> | null = null

  async function attach(opened: Opened): Promise<void> {
    notice = opened.notice
    dispose = opened.dispose
    connection.attach(opened.db, opened.writable)
    await search.use(opened.search)
    const folder = opened.writable ? deps.paths.vectors : null
    await meaning.use(opened.search && { ...opened.search, folder })
  }

  function repair(error: AppError): void {
    if (ending.signal.aborted || repairing || !connection.writable) return
    repairing = repairNow(error)
      .catch((trouble: unknown) => {
        // Another program has locked the file in the meantime: calls keep reporting that there is no database.
        log.error('The database could not be repaired', { error: String(trouble) })
      })
      .finally(() => {
        repairing = null
      })
  }

  async function repairNow(error: AppError): Promise<void> {
    log.error('The database is damaged', { error: error.message })
    const refusal = new AppError('DATABASE_DAMAGED', 'The database is being repaired', {
      retriable: true,
    })
    connection.detach(refusal)
    await search.use(refusal)
    await meaning.use(refusal)
    const opened = await openDatabase({ ...deps, knownDamaged: true })
    if (ending.signal.aborted) {
      opened.db.close()
      opened.dispose()
      return
    }
    await attach(opened)
    options.onNotice(notice)
  }

  async function exchangeNow<T>(work: () => Promise<T>, ready: () => void): Promise<T> {
    ready()
    const refusal = inUse()
    await Promise.all([search.use(refusal), meaning.use(refusal)])
    try {
      // Check again, since it took a moment until the searches released the file.
      ready()
    } catch (error) {
      await search.use({ path: deps.paths.database })
      await meaning.use({ path: deps.paths.database, folder: deps.paths.vectors })
      throw error
    }
    closeFile(refusal)
    try {
      return await work()
    } finally {
      await attach(await openDatabase(deps))
      options.onNotice(notice)
    }
  }

  function closeFile(refusal = new AppError('CANCELLED', 'The library is closed')): void {
    try {
      if (connection.writable) connection.use((db) => db.pragma('wal_checkpoint(TRUNCATE)'))
    } catch (error) {
      // Data not in a checkpoint stays in the log and is read from there at the next start.
      log.warn('The write-ahead log could not be checkpointed', { error: String(error) })
    }
    connection.detach(refusal)
    dispose()
  }

  try {
    await finishExchange(deps.paths, log)
    await attach(await openDatabase(deps))
  } catch (error) {
    await checker.close()
    throw error
  }

  const checkpoints = planCheckpoints(
    connection,
    () => checker.call({ task: 'bring-in', path: deps.paths.database }),
    log,
  )
  return {
    connection,
    search,
    meaning,
    get notice() {
      return notice
    },
    get isBringingIn() {
      return checkpoints.isRunning
    },
    async checkIntegrity() {
      if (ending.signal.aborted || !connection.writable) return
      const trouble = await deps.check(deps.paths.database)
      if (trouble !== null) repair(new AppError('DATABASE_DAMAGED', trouble))
    },
    async copy(label) {
      // A labeled backup must not be replaced by the one that happens to be running.
      if (label && copying) await copying.catch(() => undefined)
      copying ??= connection
        .use((db) => makeBackup(db, { ...deps, signal: ending.signal, label }))
        .finally(() => {
          copying = null
        })
      return copying
    },
    async exchange(work, ready) {
      if (exchanging || repairing || ending.signal.aborted) throw inUse()
      await copying
      // Any program that inspects the file has finished by now, since they run one after the other.
      await checker.call({ task: 'bring-in', path: deps.paths.database })
      const running = exchangeNow(work, ready)
      exchanging = running.catch(() => undefined)
      try {
        return await running
      } finally {
        exchanging = null
      }
    },
    async close() {
      if (ending.signal.aborted) return
      ending.abort()
      // A checkpoint holds the file even after a close that does not wait for it.
      await Promise.race([checkpoints.stop(), pause(checkpointPatience)])
      // The workers first, which rejects their pending calls. A check deep inside SQLite ends only after a whole table.
      const programs = Promise.allSettled([search.close(), meaning.close(), checker.close()])
      await Promise.race([Promise.allSettled([programs, copying]), pause(patience)])
      await repairing
      await exchanging
      closeFile()
    },
  }
}

/**
 * Completes an exchange interrupted by a crash while the file was closed: an imported archive or a restored backup.
 */
async function finishExchange(paths: StorePaths, log: Log): Promise<void> {
  try {
    for (const path of withSideFiles(`${paths.database}.restoring`)) rmSync(path, removal)
    const places = archivePlaces(paths.home)
    if (!existsSync(places.journal) && !existsSync(places.in)) return
    // Loaded only then: it is needed after a crash only.
    const { recoverImport } = await import('../domains/library/archive/place-archive.ts')
    if (recoverImport(paths.home, paths.database))
      log.warn('An interrupted archive import was resolved')
  } catch (error) {
    // A damaged library is repaired first; the next start tries again.
    log.warn('An interrupted archive import could not be resolved', { error: String(error) })
  }
}

const inUse = (): AppError =>
  new AppError('DATABASE_BUSY', 'The library is being replaced', { retriable: true })

/** Worker functions for opening and backups. */
function checks(
  call: (request: DatabaseCheckRequest) => Promise<DatabaseCheckAnswer>,
): Pick<OpeningDeps, 'check' | 'settle' | 'rebuild'> {
  const runCheck = async (request: DatabaseCheckRequest): Promise<string | null> => {
    const answer = await call(request)
    return answer.task === 'check' ? answer.trouble : null
  }
  return {
    check: (path) => runCheck({ task: 'check', path }),
    settle: (path) => runCheck({ task: 'settle', path }),
    async rebuild(rebuild) {
      const answer = await call({ task: 'rebuild', rebuild })
      return answer.task === 'rebuild' ? answer.rebuilt : { rows: 0, newest: null }
    },
  }
}

/** Milliseconds after which a search is aborted and its worker restarted. */
const timeoutMs = 15_000

/** Search with the lifecycle of its worker. */
interface SearchService extends SearchIndex {
  /** Search in the messages of all chats. */
  readonly messages: ChatStore['search']
  /** Search in one chat. */
  readonly find: ChatStore['find']
  /**
   * Sets the file to search from now on; null for none (nothing is found), an error while the file cannot be read.
   */
  use(file: SearchWorkerData | AppError | null): Promise<void>
  /** Starts the worker before it is needed. */
  warm(): Promise<void>
  close(): Promise<void>
}

/**
 * Search off the main thread. A worker that died is restarted by the next search; the search that crashed it rejects with
 * ENGINE_UNAVAILABLE. `damage` is called for a damaged file, which a search may be the first to detect.
 */
function searchService(url: URL, damage: (error: unknown) => void): SearchService {
  let client: WorkerClient<SearchRequest, SearchAnswer> | null = null
  let refusal: AppError | null = null

  /** Each type of request has its type of response (`answerSearch`); without a file nothing is found. */
  async function ask<Answer extends SearchAnswer>(
    request: SearchRequest,
    nothing: Answer,
  ): Promise<Answer> {
    if (refusal) throw refusal
    if (!client) return nothing
    try {
      return (await client.call(request)) as Answer
    } catch (error) {
      damage(error)
      throw error
    }
  }

  return {
    search: (query) =>
      ask<SearchReply>({ in: 'library', ...query }, { hits: [], more: false, tookMs: 0 }),
    entries: (query) =>
      ask<EntrySearchReply>({ in: 'entries', ...query }, { hits: [], more: false, tookMs: 0 }),
    messages: (query) =>
      ask<MessageSearchReply>({ in: 'messages', ...query }, { hits: [], more: false, tookMs: 0 }),
    find: (id, query) =>
      ask<FindReply>({ in: 'conversation', id, query }, { places: [], more: false }),
    async warm() {
      await client?.call({ in: 'library', query: '', limit: 0 })
    },
    async use(file) {
      const old = client
      refusal = file instanceof AppError ? file : null
      client =
        file && !(file instanceof AppError)
          ? createWorkerClient<SearchRequest, SearchAnswer>({
              url,
              name: 'Search',
              data: file,
              timeoutMs,
            })
          : null
      await old?.close()
    },
    async close() {
      const old = client
      client = null
      await old?.close()
    },
  }
}
