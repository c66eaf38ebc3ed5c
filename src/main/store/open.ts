import { AppError, toFailure } from '../errors.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../deps.ts'
import { createWorkerClient } from '../workers/client.ts'
import type { DatabaseCheckAnswer, DatabaseCheckRequest } from '../workers/database-check.ts'
import type { StorageNotice } from '../../shared/bridge/app.ts'
import { accountStore } from './accounts.ts'
import { activityStore } from './activity.ts'
import { listBackups, makeBackup } from './backup.ts'
import { createConnection } from './connection.ts'
import { eraseDatabase } from './erase.ts'
import { fromFileSystem } from './file-errors.ts'
import { itemStore } from './items.ts'
import { jobStore } from './jobs.ts'
import { mediaStore } from './media.ts'
import { migrations as allMigrations, type Migration } from './migrations/index.ts'
import { openDatabase, type Opened, type OpeningDeps } from './opening.ts'
import { fileBytes, storePaths, withSideFiles } from './paths.ts'
import { replyStore } from './replies.ts'
import { searchService } from './search.ts'
import { settingsStore } from './settings.ts'
import { fromSqlite, isDamage } from './sqlite-errors.ts'
import { transcriptStore } from './transcripts.ts'
import type { Store } from './types.ts'

export { dueForBackup } from './backup.ts'

/** Milliseconds after opening at which the search worker is started, so that the first search need not wait for it. */
const warmAfterMs = 3000

/** What the store takes from outside. */
export interface OpenStoreOptions {
  /** The data folder; made when missing. */
  readonly home: string
  readonly clock: Clock
  readonly ids: Ids
  readonly workerUrl: WorkerUrl
  readonly log: Log
  readonly appVersion: string
  /** Called when the notice changes after the store was opened: damage was found and mended while the app ran. */
  readonly onNotice?: (notice: StorageNotice) => void
  /** Milliseconds after opening at which the file is looked through; 15 seconds when absent. */
  readonly checkAfterMs?: number
  /** The schema's steps; tests bring their own. */
  readonly migrations?: readonly Migration[]
}

/**
 * Opens the library under `home`, mending it where it is damaged (see `notice`). Throws DATABASE_BUSY when another program holds it.
 * While a damaged file is being mended, calls throw DATABASE_DAMAGED with `retriable`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { clock, log } = options
  const paths = storePaths(options.home)
  const checker = createWorkerClient<DatabaseCheckRequest, DatabaseCheckAnswer>({
    url: options.workerUrl('database-check'),
    name: 'Database check',
  })
  const deps: OpeningDeps = {
    paths,
    clock,
    log,
    migrations: options.migrations ?? allMigrations,
    check: (path) => look({ task: 'check', path }),
    settle: (path) => look({ task: 'settle', path }),
    async rebuild(rebuild) {
      const answer = await checker.call({ task: 'rebuild', rebuild })
      return answer.task === 'rebuild' ? answer.rebuilt : { rows: 0, newest: null }
    },
  }

  async function look(request: DatabaseCheckRequest): Promise<string | null> {
    const answer = await checker.call(request)
    return answer.task === 'check' ? answer.trouble : null
  }

  let dispose = (): void => undefined
  let notice: StorageNotice = { state: 'ok' }
  let closed = false
  let mending: Promise<void> | null = null
  let copying: Promise<string> | null = null
  const connection = createConnection({ damage: mend })
  const search = searchService(options.workerUrl('search'), (error) => {
    if (error instanceof AppError && isDamage(error.cause)) mend(error)
  })

  async function attach(opened: Opened): Promise<void> {
    notice = opened.notice
    dispose = opened.dispose
    connection.attach(opened.db, opened.writable)
    await search.use(opened.search)
  }

  function mend(error: AppError): void {
    if (closed || mending || !connection.writable) return
    mending = mendNow(error)
      .catch((trouble: unknown) => {
        // Another program took the file meanwhile: every call goes on saying that there is no database.
        log.error('The database could not be mended', { error: String(trouble) })
      })
      .finally(() => {
        mending = null
      })
  }

  async function mendNow(error: AppError): Promise<void> {
    log.error('The database is damaged', { error: error.message })
    const refusal = new AppError('DATABASE_DAMAGED', 'The database is being mended', {
      retriable: true,
    })
    connection.detach(refusal)
    await search.use(refusal)
    const opened = await openDatabase({ ...deps, knownDamaged: true })
    if (closed) {
      opened.db.close()
      return
    }
    await attach(opened)
    options.onNotice?.(notice)
  }

  async function lookThrough(): Promise<void> {
    if (closed || !connection.writable) return
    const trouble = await deps.check(paths.database)
    if (trouble !== null) mend(new AppError('DATABASE_DAMAGED', trouble))
  }

  try {
    await attach(await openDatabase(deps))
  } catch (error) {
    await checker.close()
    throw error
  }
  log.info('The library is open', { version: options.appVersion, state: notice.state })
  const warming = setTimeout(() => void search.warm().catch(() => undefined), warmAfterMs)
  warming.unref()
  const idleCheck = setTimeout(() => {
    lookThrough().catch((error: unknown) => {
      if (!closed) log.warn('The database could not be checked', { error: String(error) })
    })
  }, options.checkAfterMs ?? 15_000)
  idleCheck.unref()

  const aggregates = {
    settings: settingsStore(connection),
    accounts: accountStore(connection),
    media: mediaStore(connection),
    items: itemStore(connection),
    transcripts: transcriptStore(connection, clock),
    jobs: jobStore(connection),
    replies: replyStore(connection),
    activity: activityStore(connection),
    search,
  }

  return {
    ...aggregates,
    get notice() {
      return notice
    },
    get writable() {
      return connection.writable
    },
    transaction: (work) => connection.transaction(work),
    async backup() {
      try {
        if (!connection.writable)
          throw new AppError('READ_ONLY', 'The library is open for reading only')
        copying ??= connection
          .use((db) => makeBackup(db, { ...deps, stopped: () => closed }))
          .finally(() => {
            copying = null
          })
        return { ok: true, path: await copying }
      } catch (error) {
        const failure = fromSqlite(fromFileSystem(error))
        log.warn('No backup was made', { error: String(error) })
        return { ok: false, error: toFailure(failure, clock()) }
      }
    },
    size() {
      return {
        database: withSideFiles(paths.database).reduce(
          (sum, path) => sum + (fileBytes(path) ?? 0),
          0,
        ),
        backups: listBackups(paths.backups).reduce((sum, backup) => sum + backup.bytes, 0),
      }
    },
    erase() {
      if (!connection.writable)
        throw new AppError('READ_ONLY', 'The library is open for reading only')
      connection.use((db) => eraseDatabase(db, paths))
    },
    async close() {
      if (closed) return
      closed = true
      clearTimeout(warming)
      clearTimeout(idleCheck)
      await search.close()
      await copying?.catch(() => undefined)
      await checker.close()
      await mending
      closeFile()
    },
  }

  function closeFile(): void {
    try {
      if (connection.writable) connection.use((db) => db.pragma('wal_checkpoint(TRUNCATE)'))
    } catch (error) {
      // What is not checkpointed stays in the log and is read from there at the next start.
      log.warn('The log could not be checkpointed', { error: String(error) })
    }
    connection.detach(new AppError('CANCELLED', 'The library is closed'))
    dispose()
  }
}
