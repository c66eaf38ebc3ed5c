import Database from 'better-sqlite3'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { profileSchema } from '../../../../shared/contract/accounts.ts'
import { checkBaseUrl, presets, type PresetId } from '../../../../shared/provider/profiles.ts'
import { repairColumns } from './archive-sanitize.ts'
import { tables } from '../../../platform/database/schema.ts'
import type { Reset } from '../../../platform/database/schema/table.ts'

/**
 * Migrates a validated database to the current schema, without anything that would continue automatically. Throws
 * ArchiveRefused for rows that no version of Lectern wrote. Blocks: for workers.
 */
export function migrateDatabase(path: string, name = ''): void {
  const db = new Database(path)
  try {
    db.pragma('trusted_schema = OFF')
    db.pragma('foreign_keys = ON')
    // Foreign statistics must not influence query plans.
    db.exec('DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4')
    migrate(db)
    resetPendingWork(db)
    db.pragma('journal_mode = DELETE')
  } catch (error) {
    const isForeign =
      error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')
    throw isForeign ? new ArchiveRefused('database', name, error) : error
  } finally {
    db.close()
  }
}

/**
 * Sanitizes a foreign copy of the local service's data: intact, and only tables. Everything else it needs (search
 * indexes, the one trigger) is created again when the service opens it. Throws ArchiveRefused. Blocks: for workers.
 */
export function migrateState(path: string, name: string): void {
  try {
    const db = new Database(path)
    try {
      db.pragma('trusted_schema = OFF')
      db.pragma('cell_size_check = ON')
      if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok')
        throw new ArchiveRefused('database', name)
      const doubtful = db
        .prepare<[], { type: string; name: string; sql: string }>(
          `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view') OR rootpage = 0`,
        )
        .all()
      for (const { type, name: called, sql } of doubtful) {
        if (type !== 'table') db.exec(`DROP ${type} "${called.replaceAll('"', '""')}"`)
        else if (!/^CREATE VIRTUAL TABLE \w+ USING fts5\s*\(/i.test(sql))
          throw new ArchiveRefused('database', name)
      }
      db.pragma('journal_mode = DELETE')
    } finally {
      db.close()
    }
  } catch (error) {
    throw error instanceof ArchiveRefused ? error : new ArchiveRefused('database', name, error)
  }
}

/** Allowed media types in response headers: a type without parameters. */
const plainType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,80}$/
/** Types that browsers display but that may contain scripts. */
const scripted = /svg|html|javascript|ecmascript|\/xml$/

/** Validates the types of files that are served with them unchanged. Throws ArchiveRefused. */
export function assertPlainTypes(db: Database.Database, name: string): void {
  for (const { mime } of db
    .prepare<[], { mime: string }>('SELECT DISTINCT mime FROM media')
    .iterate())
    if (mime !== '' && (!plainType.test(mime) || scripted.test(mime)))
      throw new ArchiveRefused('database', name)
}

/** Returns the statements that reset unfinished work after an import of foreign rows, or a restore of older ones. */
const resets = (after: Reset['after'][number]): string =>
  tables
    .flatMap(({ name, reset = [] }) => reset.map((one) => ({ name, ...one })))
    .filter((one) => one.after.includes(after))
    .map(({ name, set, where }) => `UPDATE ${name} SET ${set} WHERE ${where}`)
    .join(';\n')

/**
 * Stops the pending work of an older library, since it may have been sent since then. Where the provider can be checked,
 * it is checked before anything is sent again. Must be called within a transaction.
 */
export function resetPendingInBackup(db: Database.Database): void {
  db.exec(resets('restore'))
}

/**
 * Ensures that an imported database sends no requests: its pending work is marked as over until the user requests it
 * again, because a start would continue it immediately with this computer's API keys and quota, or download URLs from
 * foreign rows. Meetings with audio that was not transcribed yet get this failure, and continue on request. Accounts are
 * imported if they could have been entered here; files count as received whatever the archive says, because it may come
 * from anyone. The schema must be the current one.
 */
function resetPendingWork(db: Database.Database): void {
  db.transaction(() => {
    db.exec(resets('import'))
    repairColumns(db)
    db.exec(`UPDATE media SET origin = 'foreign'`)
    retainValidAccounts(db)
  })()
}

/** Keeps the accounts whose profile is valid here; the account of this computer always exists already. */
function retainValidAccounts(db: Database.Database): void {
  const remove = db.prepare('DELETE FROM accounts WHERE id = ?')
  for (const row of db
    .prepare<[], { id: string; preset: string; profile: string }>(
      'SELECT id, preset, profile FROM accounts',
    )
    .all())
    if (!isValidAccount(row)) remove.run(row.id)
}

function isValidAccount({ id, preset, profile }: { id: string; preset: string; profile: string }) {
  if (!isRemote(preset) || id.length > 64) return false
  const base = presets[preset]
  const stored = parsed(profile)
  if (stored === null) return false
  const wire = 'wire' in stored && typeof stored.wire === 'object' ? stored.wire : {}
  const read = profileSchema.safeParse({ ...base, ...stored, wire: { ...base.wire, ...wire } })
  return read.success && checkBaseUrl(read.data.baseUrl).ok
}

const isRemote = (preset: string): preset is Exclude<PresetId, 'local'> =>
  preset === 'bigmodel' || preset === 'zai' || preset === 'custom'

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
