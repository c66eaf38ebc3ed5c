import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { closeSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import { removal } from '../../../../system/file-moves.ts'
import { contentId, contentIdPattern } from '../../../platform/files/content-id.ts'
import { sessionIdPattern, sessionsFolder } from '../../../platform/audio/session-files.ts'
import { type Snapshot, describe } from './archive-snapshot.ts'
import { migrateDatabase, migrateState, assertPlainTypes } from './archive-migrate.ts'
import { assertFreeSpace, ownFolder, sizeOf } from './disk.ts'
import { databaseName, kindOfPath, type Manifest, mediaPlace } from './layout.ts'
import { openArchive, type OpenArchive, readEntry } from './archive-file.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { migrate, supportedVersion, migrations } from '../../../platform/database/migrate.ts'
import { schemaVersion } from '../../../platform/database/open-file.ts'

/** Input for unpacking an archive. */
export interface Unpacking {
  readonly home: string
  readonly archive: string
  /** Dedicated folder, emptied first. */
  readonly into: string
}

/** Unpacked archive: every byte is verified and its database has the current schema. */
export interface Unpacked {
  readonly manifest: Manifest
  /** Media that are already in the library and were only compared. */
  readonly known: readonly string[]
}

/** Reads an archive's manifest and database without importing; the database is verified, validated and left in `into`. */
export async function inspectArchive(
  { home, archive, into }: Unpacking,
  progress: Progress,
): Promise<Manifest> {
  await rm(into, removal)
  await ownFolder(into)
  const file = await open(archive, 'r')
  try {
    progress.begin('preparing', 0)
    const opened = await openArchive(file)
    const [database] = opened.entries
    if (!database) throw new ArchiveRefused('foreign')
    await assertNoCaseConflict(home, opened.entries)
    await assertFreeSpace(into, database.bytes)
    progress.begin('checking', database.bytes)
    await unpackDatabase(file, opened, database, into, progress)
    migrateDatabase(join(into, databaseName), databaseName)
    return opened.manifest
  } finally {
    await file.close()
  }
}

/** Unpacks and verifies everything. Throws ArchiveRefused, DISK_FULL or CANCELLED; then only `into` was written to. */
export async function unpack(unpacking: Unpacking, progress: Progress): Promise<Unpacked> {
  const { home, archive, into } = unpacking
  await rm(into, removal)
  await ownFolder(into)
  const file = await open(archive, 'r')
  try {
    progress.begin('preparing', 0)
    const opened = await openArchive(file)
    await assertNoCaseConflict(home, opened.entries)
    const all = opened.entries.reduce((sum, { bytes }) => sum + bytes, 0)
    await assertFreeSpace(into, all)
    progress.begin('copying', all)
    const known: string[] = []
    for (const entry of opened.entries) {
      const kind = kindOfPath(entry.name)
      if (kind === 'database') {
        await unpackDatabase(file, opened, entry, into, progress)
        continue
      }
      const id = entry.name.slice('media/'.length)
      if (kind === 'media' && contentId(entry.sha256) !== id)
        throw new ArchiveRefused('sum', entry.name)
      if (kind === 'media' && (await sizeOf(mediaPlace(home, id))) === entry.bytes) {
        await readEntry(file, entry, progress)
        known.push(id)
      } else await write(file, entry, join(into, entry.name), progress)
    }
    const state = join(into, 'this-computer', 'state.db')
    if ((await sizeOf(state)) !== null) migrateState(state, 'this-computer/state.db')
    const database = join(into, databaseName)
    migrateDatabase(database, databaseName)
    return { manifest: opened.manifest, known }
  } finally {
    await file.close()
  }
}

/**
 * IDs are used as folder names. If one differs from a folder of this library in letter case only, the two would be one folder on
 * Windows and macOS: two meetings would share one recording.
 */
async function assertNoCaseConflict(home: string, entries: OpenArchive['entries']): Promise<void> {
  const here = await readdir(sessionsFolder(home)).catch(() => [])
  const names = new Map(here.map((name) => [name.toLowerCase(), name]))
  for (const { name } of entries) {
    if (kindOfPath(name) !== 'meeting') continue
    const id = name.split('/')[1] ?? ''
    if ((names.get(id.toLowerCase()) ?? id) !== id) throw new ArchiveRefused('case', name)
  }
}

async function unpackDatabase(
  file: FileHandle,
  { manifest, entries }: OpenArchive,
  entry: OpenArchive['entries'][number],
  into: string,
  progress: Progress,
): Promise<void> {
  const path = join(into, databaseName)
  await write(file, entry, path, progress)
  assertAgree(manifest, entries, validateDatabase(path, entry.name))
}

/** Rejects a manifest that differs from the database, omits files, or lists files that nothing references. */
function assertAgree(manifest: Manifest, entries: OpenArchive['entries'], found: Snapshot): void {
  const invalidManifest = (name: string): ArchiveRefused => new ArchiveRefused('manifest', name)
  if (manifest.schema !== found.schema) throw invalidManifest(databaseName)
  const keys = new Set([...Object.keys(manifest.counts), ...Object.keys(found.counts)])
  for (const key of keys)
    if (manifest.counts[key] !== found.counts[key]) throw invalidManifest(databaseName)
  const media = new Set(found.media.map(({ id }) => `media/${id}`))
  const meetings = new Set(found.meetings)
  for (const { name } of entries) {
    const kind = kindOfPath(name)
    if (kind === 'media' && !media.delete(name)) throw invalidManifest(name)
    if (kind === 'meeting' && !meetings.has(name.split('/')[1] ?? '')) throw invalidManifest(name)
  }
  const missing = new Set(manifest.missing.map(({ path }) => path))
  for (const name of media) if (!missing.has(name)) throw invalidManifest(name)
}

async function write(
  file: FileHandle,
  entry: OpenArchive['entries'][number],
  path: string,
  progress: Progress,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const to = await open(path, 'wx', 0o600)
  try {
    await readEntry(file, entry, progress, to)
    await to.sync()
  } finally {
    await to.close()
  }
}

/** Maximum row number, far below what the search index derives from it. */
const maxRows = 2 ** 38

/**
 * Validates a foreign database before it is used: intact, with exactly a schema that Lectern wrote (no additional
 * trigger, view or table), and with IDs that may become part of a path. Opened read-only and untrusted. Throws
 * ArchiveRefused. Blocks: for workers.
 */
function validateDatabase(path: string, name: string): Snapshot {
  assertSettled(path, name)
  const refuse = (cause?: unknown): ArchiveRefused => new ArchiveRefused('database', name, cause)
  let db: Database.Database
  try {
    db = distrustful(path)
  } catch (error) {
    throw refuse(error)
  }
  try {
    const version = schemaVersion(db)
    if (version > supportedVersion()) throw new ArchiveRefused('newer', name)
    if (!migrations.some((step) => step.version === version))
      throw new ArchiveRefused('unknown', name)
    assertOwnSchema(db, version, name)
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw refuse()
    if (db.prepare('SELECT 1 FROM pragma_foreign_key_check LIMIT 1').get() !== undefined)
      throw refuse()
    assertPlainRows(db, name)
    assertPlainTypes(db, name)
    return describe(db)
  } catch (error) {
    throw error instanceof ArchiveRefused ? error : refuse(error)
  } finally {
    db.close()
  }
}

/** Opens a connection that trusts nothing in the file. */
function distrustful(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  db.pragma('trusted_schema = OFF')
  db.pragma('cell_size_check = ON')
  db.pragma('mmap_size = 0')
  db.pragma('query_only = ON')
  return db
}

/** Requires a self-contained database file: not in WAL mode, so that reading it writes no side files. */
function assertSettled(path: string, name: string): void {
  const head = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0' || head[18] !== 1 || head[19] !== 1)
    throw new ArchiveRefused('database', name)
}

/** Compares every table, index, trigger and view with those that the migrations create for that version. */
function assertOwnSchema(db: Database.Database, version: number, name: string): void {
  const model = new Database(':memory:')
  try {
    migrate(
      model,
      migrations.filter((step) => step.version <= version),
    )
    const wanted = schemaOf(model)
    const found = schemaOf(db)
    if (wanted.length !== found.length || wanted.some((line, n) => line !== found[n]))
      throw new ArchiveRefused('database', name)
  } finally {
    model.close()
  }
}

/**
 * Tables that SQLite itself adds when a database is analyzed, compared exactly: a trigger could have the same name.
 */
const statistics: ReadonlySet<string> = new Set(
  ['sqlite_stat1(tbl,idx,stat)', 'sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'].map((table) => {
    const name = table.split('(', 1).join()
    return `table ${name} ${name} CREATE TABLE ${table}`
  }),
)

function schemaOf(db: Database.Database): readonly string[] {
  return (
    db
      .prepare<[], { line: string }>(
        `SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') AS line FROM sqlite_schema`,
      )
      .all()
      // How the text was laid out, and whether a column was in it from the first, says nothing.
      .map(({ line }) => line.replace(/[ \t\r\n]+/g, ' ').replace(/ ?([(),]) ?/g, '$1'))
      .filter((line) => !statistics.has(line))
      .toSorted()
  )
}

/** Validates IDs that become part of a path or URL, and numbers that are multiplied. */
function assertPlainRows(db: Database.Database, name: string): void {
  const refuse = (): never => {
    throw new ArchiveRefused('database', name)
  }
  const media = db.prepare<[], { id: string; sha256: string }>('SELECT id, sha256 FROM media')
  for (const { id, sha256 } of media.iterate()) {
    if (!contentIdPattern.test(id)) refuse()
    // Of a lost file, only the ID is known.
    if (sha256 !== '' && (!/^[0-9a-f]{64}$/.test(sha256) || contentId(sha256) !== id)) refuse()
  }
  const items = db.prepare<[], { id: string; seq: number }>('SELECT id, seq FROM items')
  const folders = new Set<string>()
  for (const { id, seq } of items.iterate()) {
    if (!sessionIdPattern.test(id) || seq < 0 || seq > maxRows) refuse()
    // IDs become folder names, which are case-insensitive on most systems.
    const folder = id.toLowerCase()
    if (folders.has(folder)) throw new ArchiveRefused('case', `meetings/${id}`)
    folders.add(folder)
  }
  const messages = db
    .prepare<[], { low: number | null; high: number | null }>(
      `SELECT min(seq) AS low, max(seq) AS high FROM ${hasMessages(db) ? 'messages' : 'items'}`,
    )
    .get()
  if ((messages?.low ?? 0) < 0 || (messages?.high ?? 0) > maxRows) refuse()
}

const hasMessages = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'messages'`).get() !== undefined
