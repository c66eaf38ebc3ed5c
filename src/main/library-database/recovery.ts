import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { moveFileSync, removal } from '../../system/file-moves.ts'
import type { StorageNotice } from '../../shared/contract/app.ts'
import type { Clock, Log } from '../deps.ts'
import { listBackups, type Backup, type Check } from './backup.ts'
import {
  fileBytes,
  fileStamp,
  privateFolder,
  withSideFiles,
  type StorePaths,
} from '../platform/database/paths.ts'
import type { Rebuild, Rebuilt } from './rebuild.ts'

/** Dependencies of recovery; the heavy work runs off the main thread. */
export interface RecoveryDeps {
  readonly paths: StorePaths
  readonly clock: Clock
  readonly log: Log
  readonly check: Check
  readonly settle: Check
  readonly rebuild: (rebuild: Rebuild) => Promise<Rebuilt>
}

const rebuiltPath = (paths: StorePaths): string => `${paths.database}.rebuilt`

/**
 * Returns true when the main file is missing or empty although there was a library: a log with commits or a backup exists.
 * Opened as it is, it would become a new library, its log deleted by SQLite, and the backups eventually replaced by empty
 * ones.
 */
export function isLost(paths: StorePaths): boolean {
  const [main = '', log = ''] = withSideFiles(paths.database)
  if ((fileBytes(main) ?? 0) > 0) return false
  return (fileBytes(log) ?? 0) > 0 || listBackups(paths.backups, 0).length > 0
}

/**
 * Replaces a damaged or lost database, which must be closed: builds an intact one next to it from the newest good backup and
 * everything still readable, moves the damaged files to `quarantine`, and moves the new one into place. When building fails
 * (a full disk), nothing was moved. Without a backup, `restored` is the newest readable change.
 */
export async function recover(deps: RecoveryDeps): Promise<StorageNotice> {
  const { paths, clock, log } = deps
  const target = rebuiltPath(paths)
  log.warn('The database is damaged. It is moved to quarantine and rebuilt')
  const { backup, rebuilt } = await build(deps, target)
  const quarantine = setAside(paths, clock())
  moveFileSync(target, paths.database)
  log.warn('The database was rebuilt', { rows: rebuilt.rows, backup: backup?.at ?? null })
  if (backup) return { state: 'restored', backupAt: backup.at, quarantine }
  if (rebuilt.rows > 0)
    return { state: 'restored', backupAt: rebuilt.newest ?? clock(), quarantine }
  return { state: 'started-empty', quarantine }
}

async function build(
  deps: RecoveryDeps,
  target: string,
): Promise<{ readonly backup: Backup | null; readonly rebuilt: Rebuilt }> {
  const damaged = deps.paths.database
  for (const backup of listBackups(deps.paths.backups, deps.clock())) {
    try {
      const trouble = await deps.check(backup.path)
      if (trouble !== null) throw new Error(trouble)
      return { backup, rebuilt: await deps.rebuild({ damaged, backup: backup.path, target }) }
    } catch (error) {
      // The next older one may be good; a full disk fails again below and ends it there.
      deps.log.warn('A backup cannot be used', { backup: backup.at, error: String(error) })
    }
  }
  return { backup: null, rebuilt: await deps.rebuild({ damaged, backup: null, target }) }
}

/**
 * Moves a database and its existing side files out of the way. Returns the new path: the folder when nothing was left of it.
 */
function setAside(paths: StorePaths, at: number): string {
  privateFolder(paths.quarantine)
  let place = join(paths.quarantine, `library-${fileStamp(at)}.db`)
  for (let n = 2; withSideFiles(place).some((path) => fileBytes(path) !== null); n++)
    place = join(paths.quarantine, `library-${fileStamp(at)}-${n}.db`)
  const targets = withSideFiles(place)
  // The main file last: while it exists, a start that finds an interrupted move recovers again.
  for (const [index, path] of Array.from(withSideFiles(paths.database).entries()).toReversed()) {
    if (fileBytes(path) !== null) moveFileSync(path, targets[index] ?? place)
  }
  return targets.find((path) => fileBytes(path) !== null) ?? paths.quarantine
}

/**
 * Completes a recovery interrupted by a crash: moves a finished new database into place, removes an unfinished one.
 */
export function finishRecovery(paths: StorePaths, clock: Clock, log: Log): void {
  const rebuilt = rebuiltPath(paths)
  for (const half of [`${rebuilt}.building`, `${rebuilt}.copy`])
    for (const path of withSideFiles(half)) rmSync(path, removal)
  if (fileBytes(rebuilt) === null) return
  if (fileBytes(paths.database) !== null) {
    rmSync(rebuilt, removal)
    return
  }
  // The log of the lost database must not be replayed into the new one.
  if (withSideFiles(paths.database).some((path) => fileBytes(path) !== null))
    setAside(paths, clock())
  moveFileSync(rebuilt, paths.database)
  log.warn('A recovery was finished after a crash', { file: basename(rebuilt) })
}
