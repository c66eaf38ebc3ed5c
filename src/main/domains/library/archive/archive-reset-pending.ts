import type Database from 'better-sqlite3'
import { profileSchema } from '../../../../shared/contract/accounts.ts'
import { checkBaseUrl, presets, type PresetId } from '../../../../shared/provider/profiles.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { repairColumns } from './archive-sanitize.ts'

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

const left = `json_object('code', 'LEFT_UNFINISHED', 'message', 'It was running on another computer',
  'retriable', json('true'), 'at', CAST(unixepoch('subsec') * 1000 AS INTEGER))`

/**
 * Stops pending work that would be paid for again if it continued. Its results stay, and it resumes on request.
 */
const resting = `
  UPDATE speech_pieces SET fresh = 0, attempts = 0, next_try_at = NULL, error = NULL, state = CASE
      WHEN take_seq IS NULL THEN 'idle' WHEN state = 'checking' THEN 'done' ELSE 'stale' END
    WHERE state IN ('queued', 'speaking', 'checking');
  UPDATE retrieval_rows SET state = 'stopped', next_try_at = NULL
    WHERE state IN ('queued', 'running', 'waiting');
  UPDATE retrieval_runs SET state = 'stopped', waiting = 0, ended_at = created_at WHERE state = 'running';
  UPDATE embedding_sets SET state = 'waiting' WHERE state = 'running';
  UPDATE embedding_runs SET state = 'cancelled', ended_at = updated_at WHERE state IN ('running', 'waiting');
  UPDATE rankings SET state = 'broken', ended_at = updated_at WHERE state = 'running'`

/**
 * Stops the pending work of an older library, since it may have been sent since then. Where the provider can be checked,
 * it is checked before anything is sent again. Must be called within a transaction.
 */
export function resetPendingInBackup(db: Database.Database): void {
  db.exec(`${resting};
    UPDATE voice_clones SET state = 'cloning' WHERE state IN ('waiting', 'uploading');
    UPDATE knowledge_uploads SET attempts = max(attempts, 1) WHERE state IN ('queued', 'sending', 'waiting')`)
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
    db.exec(`
      UPDATE messages SET state = 'done' WHERE state IN ('queued', 'waiting');
      UPDATE meetings SET error = ${left} WHERE state IN ('recording', 'paused', 'importing')
        OR (has_sound = 1 AND analysed_ms < duration_ms);
      UPDATE meeting_segments SET again = NULL WHERE again IS NOT NULL;
      UPDATE meeting_segments SET state = 'failed', next_try_at = NULL, error = ${left}
        WHERE state IN ('pending', 'inflight');
      UPDATE document_parts SET state = 'cancelled', next_try_at = NULL WHERE state IN ('queued', 'sent');
      UPDATE document_pages SET state = 'cancelled' WHERE state IN ('waiting', 'sent');
      UPDATE document_remote SET given_up = 1, next_try_at = NULL, error = coalesce(error, ${left})
        WHERE media_id IS NULL;
      UPDATE document_pushes SET state = 'failed', replaces = NULL, error = ${left}
        WHERE state IN ('sending', 'working');
      ${resting};
      UPDATE knowledge_documents SET next_poll_at = NULL WHERE next_poll_at IS NOT NULL;
      UPDATE slice_lookups SET state = iif(came_at IS NULL, 'failed', 'done'), error = ${left} WHERE state = 'asking';
      UPDATE slice_pictures SET state = 'failed', next_try_at = NULL, error = ${left} WHERE state = 'waiting';
      UPDATE knowledge_pictures SET state = 'failed', next_try_at = NULL, error = ${left} WHERE state = 'waiting';
      UPDATE kept_files SET given_up = 1, next_try_at = NULL, error = coalesce(error, ${left})
        WHERE media_id IS NULL;
      UPDATE tasks SET state = 'refused', next_poll_at = NULL, error = ${left}
        WHERE state IN ('processing', 'waiting');
      UPDATE lookups SET state = iif(fetched_at IS NULL, 'refused', 'over'), next_poll_at = NULL, error = ${left}
        WHERE state IN ('asking', 'watching', 'waiting')`)
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
