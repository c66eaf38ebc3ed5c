import type Database from 'better-sqlite3'
import { profileSchema } from '../../../../shared/contract/accounts.ts'
import { checkBaseUrl, presets, type PresetId } from '../../../../shared/provider/profiles.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { repairColumns } from './archive-sanitize.ts'
import { tables } from '../../../platform/database/schema.ts'
import type { Reset } from '../../../platform/database/schema/table.ts'

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
export function resetPendingWork(db: Database.Database): void {
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
