import { randomUUID } from 'node:crypto'
import type { StorageNotice } from '../../shared/contract/app.ts'
import { AppError, toFailure } from '../errors.ts'
import type { Clock, Ids, Log, WorkerUrl } from '../deps.ts'
import { accountStore } from '../domains/settings/store/accounts-store.ts'
import { activityStore } from '../domains/playground/store/activity-store.ts'
import { listBackups } from './backup.ts'
import { backlog, inTurns } from '../platform/database/step-backlog.ts'
import { chatStore } from '../domains/chats/store/chats-store.ts'
import { chatSettler } from '../domains/chats/store/chats-maintenance.ts'
import type { Arriving } from '../domains/chats/store/chats-import.ts'
import type { Connection } from '../platform/database/connection.ts'
import { documentStore } from '../domains/documents/store/documents-store.ts'
import { settleDocuments } from '../domains/documents/store/documents-maintenance.ts'
import { embeddingStore } from '../domains/knowledge/store/embeddings-store.ts'
import { fromFileSystem } from '../platform/database/file-errors.ts'
import { highlightStore } from '../domains/documents/store/highlights-store.ts'
import { handoverStore } from '../domains/documents/store/document-pushes.ts'
import { itemStore } from '../domains/library/store/items-store.ts'
import { knowledgeStore } from '../domains/knowledge/store/knowledge-store.ts'
import { savedFileStore } from '../domains/playground/store/saved-files-store.ts'
import { entryStore } from '../domains/library/store/library-entries.ts'
import { fileJobStore } from '../domains/library/store/file-jobs-store.ts'
import { openLibraryFile, type LibraryFile } from './library-file.ts'
import { remoteItemStore } from '../domains/playground/store/remote-items-store.ts'
import { mediaStore } from '../platform/files/media-rows.ts'
import { meetingStore } from '../domains/audio/store/meetings-store.ts'
import { migrations, type Migration, migrate } from '../platform/database/migrate.ts'
import {
  fileBytes,
  storePaths,
  withSideFiles,
  type StorePaths,
} from '../platform/database/paths.ts'
import { replyStore } from '../platform/database/replies.ts'
import { rerankStore } from '../domains/knowledge/store/rerank-store.ts'
import { retrievalRunStore } from '../domains/knowledge/store/retrieval-runs.ts'
import { testSetStore } from '../domains/knowledge/store/retrieval-sets.ts'
import { runStore } from '../domains/playground/store/runs-store.ts'
import { searchMerging } from '../platform/database/search-merge.ts'
import { settleSemantic } from '../domains/library/store/semantic-chunks.ts'
import { semanticStore } from '../domains/library/store/semantic-store.ts'
import { settingsStore } from '../domains/settings/store/settings-store.ts'
import { sliceStore } from '../domains/knowledge/store/slices-store.ts'
import { speechStore } from '../domains/voices/store/speech-store.ts'
import { settleRetrieval } from '../domains/knowledge/store/retrieval-texts.ts'
import { settleSpeech } from '../domains/voices/store/speech-index.ts'
import { fromSqlite } from '../platform/database/sqlite-errors.ts'
import { taskStore } from '../domains/playground/store/tasks-store.ts'
import type { Store } from './store.ts'
import { vectorStore } from '../domains/knowledge/store/vectors.ts'
import { voiceSampleStore } from '../domains/voices/store/voice-samples.ts'
import { voiceStore } from '../domains/voices/store/voices-store.ts'
import { rmSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { removal } from '../../system/file-moves.ts'

export { dueForBackup } from './backup.ts'

/** Milliseconds after opening at which the search worker starts, so that the first search does not wait for it. */
const warmAfterMs = 3000
/** Milliseconds between checks for search index segments to merge: every kind of item writes to it. */
const mergeEveryMs = 5000

export interface OpenStoreOptions {
  /** The data folder; created when missing. */
  readonly home: string
  readonly clock: Clock
  /** Creates the IDs of rows that the store adds itself (lines, speakers); random by default. */
  readonly ids?: Ids
  readonly workerUrl: WorkerUrl
  readonly log: Log
  readonly appVersion: string
  /** Names of backups that are never pruned. */
  neededBackups?(): readonly string[]
  /**
   * Called when the notice changes after the store was opened: damage was found and repaired while the app was running.
   */
  readonly onNotice?: (notice: StorageNotice) => void
  /** Milliseconds after opening at which the file is checked; 15 seconds by default. */
  readonly checkAfterMs?: number
  /** The schema's steps; tests pass their own. */
  readonly migrations?: readonly Migration[]
}

/**
 * Opens the library under `home`, repairing it when damaged (see `notice`). Throws DATABASE_BUSY when another program has
 * locked it. During a repair, calls throw DATABASE_DAMAGED with `retriable`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { clock, log } = options
  const paths = storePaths(options.home)
  const file = await openLibraryFile({
    paths,
    clock,
    log,
    workerUrl: options.workerUrl,
    migrations: options.migrations ?? migrations,
    appVersion: options.appVersion,
    neededBackups: () => options.neededBackups?.() ?? [],
    onNotice: (notice) => options.onNotice?.(notice),
  })
  const { connection, search } = file
  log.info('The library is open', { version: options.appVersion, state: file.notice.state })
  const arriving: Arriving = new Set()
  const settleChats = chatSettler(connection, arriving)
  const leftOver = inTurns(
    () =>
      settleDocuments(connection) ||
      settleChats() ||
      settleSemantic(connection) ||
      settleSpeech(connection) ||
      settleRetrieval(connection),
    searchMerging(connection),
  )
  const rest = backlog(() => file.isBringingIn || leftOver(), log)
  const stopIdleWork = planIdleWork(file, rest.begin, log, options.checkAfterMs ?? 15_000)

  const items = itemStore(connection, rest.begin)
  return {
    settings: settingsStore(connection),
    accounts: accountStore(connection),
    media: mediaStore(connection),
    items,
    entries: entryStore(connection, items.summary),
    meetings: meetingStore(connection, clock, options.ids ?? randomUUID),
    documents: documentStore(connection, clock, rest.begin),
    highlights: highlightStore(connection),
    handovers: handoverStore(connection),
    knowledge: knowledgeStore(connection),
    chats: chatStore(connection, {
      finder: { find: search.find, search: search.messages },
      settle: rest.begin,
      arriving,
    }),
    vectors: vectorStore(connection),
    semantic: semanticStore(connection, { ask: file.meaning.ask, settle: rest.begin }),
    voices: voiceStore(connection),
    testSets: testSetStore(connection, itemStore(connection), rest.begin),
    retrievalRuns: retrievalRunStore(connection, rest.begin),
    slices: sliceStore(connection),
    samples: voiceSampleStore(connection, clock),
    speech: speechStore(connection, rest.begin),
    replies: replyStore(connection),
    tasks: taskStore(connection),
    runs: runStore(connection),
    rerank: rerankStore(connection),
    remoteItems: remoteItemStore(connection),
    savedFiles: savedFileStore(connection),
    fileJobs: fileJobStore(connection),
    embeddings: embeddingStore(connection),
    activity: activityStore(connection),
    search,
    get notice() {
      return file.notice
    },
    get writable() {
      return connection.writable
    },
    transaction: (work) => connection.transaction(work),
    exchange: (work, ready) => file.exchange(work, ready),
    async backup(label) {
      try {
        assertWritable(connection)
        return { ok: true, path: await file.copy(label) }
      } catch (error) {
        log.warn('No backup was made', { error: String(error) })
        return { ok: false, error: toFailure(fromSqlite(fromFileSystem(error)), clock()) }
      }
    },
    size: () => ({
      database: withSideFiles(paths.database).reduce(
        (sum, path) => sum + (fileBytes(path) ?? 0),
        0,
      ),
      backups: listBackups(paths.backups, clock()).reduce((sum, backup) => sum + backup.bytes, 0),
    }),
    erase() {
      assertWritable(connection)
      connection.use((db) => eraseDatabase(db, paths))
      file.meaning.erase()
    },
    close() {
      stopIdleWork()
      rest.stop()
      return file.close()
    },
  }
}

/**
 * After the start, starts the search worker, work left by an earlier run and the check of the file. Returns a function that
 * cancels it.
 */
function planIdleWork(
  file: LibraryFile,
  proceed: () => void,
  log: Log,
  checkAfterMs: number,
): () => void {
  const attempt = (what: string, work: () => Promise<void>) =>
    work().catch((error: unknown) => log.warn(what, { error: String(error) }))
  const timers = [
    setTimeout(() => void attempt('Search did not start', file.search.warm), warmAfterMs),
    setTimeout(proceed, warmAfterMs),
    setTimeout(
      () => void attempt('The database was not checked', file.checkIntegrity),
      checkAfterMs,
    ),
  ]
  const merging = setInterval(proceed, mergeEveryMs)
  for (const timer of [...timers, merging]) timer.unref()
  return () => {
    clearInterval(merging)
    timers.forEach((timer) => clearTimeout(timer))
  }
}

function assertWritable(connection: Connection): void {
  if (!connection.writable) throw new AppError('READ_ONLY', 'The library is read-only')
}

/**
 * Empties a database: all tables are dropped and the schema recreated in one transaction, then the file is rewritten so that
 * no old content remains in free pages or the log. Backups and quarantined files are deleted too.
 */
function eraseDatabase(db: Database.Database, paths: StorePaths): void {
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => {
      db.exec('DROP TABLE IF EXISTS search_text; DROP TABLE IF EXISTS message_text')
      const tables = db
        .prepare<[], { name: string }>(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
        )
        .all()
      for (const { name } of tables) db.exec(`DROP TABLE "${name}"`)
      db.pragma('user_version = 0')
      migrate(db)
    }).immediate()
  } finally {
    db.pragma('foreign_keys = ON')
  }
  // Before rewriting the file, which takes a while: a crash must not leave copies of erased data.
  rmSync(paths.backups, removal)
  rmSync(paths.quarantine, removal)
  db.exec('VACUUM')
  db.pragma('wal_checkpoint(TRUNCATE)')
}
