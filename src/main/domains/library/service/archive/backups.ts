import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { removal } from '../../../../../system/file-moves.ts'
import type { BackupInspection, BackupSummary } from '../../../../../shared/model/archive.ts'
import { AppError } from '../../../../errors.ts'
import {
  backupPath,
  listBackups,
  pruneBackups,
  type Backup,
} from '../../../../library-database/backup.ts'
import { storePaths } from '../../../../platform/database/paths.ts'
import type { Store } from '../../../../library-database/store.ts'
import { assertIdle, type ArchiveWorker } from './archive.ts'
import type { Context } from '../../../../context.ts'

interface BackupsDeps extends Pick<Context, 'home' | 'clock' | 'ids'> {
  readonly store: Pick<Store, 'backup' | 'exchange' | 'writable'>
  readonly worker: ArchiveWorker
  /** Returns the names of backups that are never pruned: an update needs them for a rollback. */
  neededBackups(): readonly string[]
  busy(): boolean
  onExchanged(): void
}

/** Copies of the database: listed, created, inspected, restored. */
export interface Backups {
  list(): { readonly backups: readonly BackupSummary[] }
  make(): Promise<{ readonly backups: readonly BackupSummary[] }>
  inspect(id: string): Promise<BackupInspection>
  restore(id: string): Promise<{ readonly backups: readonly BackupSummary[] }>
  remove(id: string): Promise<{ readonly backups: readonly BackupSummary[] }>
}

export function createBackups(deps: BackupsDeps): Backups {
  const { store, worker, clock } = deps
  const paths = storePaths(deps.home)
  const all = (): readonly Backup[] => listBackups(paths.backups, clock())
  const list = () => ({ backups: all().map(summary) })
  const need = (id: string): Backup => {
    const found = all().find(({ path }) => basename(path) === id)
    if (!found) throw new AppError('NOT_FOUND', 'Backup not found')
    return found
  }
  return {
    list,
    async make() {
      const made = await store.backup('by-hand')
      if (!made.ok)
        throw new AppError(made.error.code, made.error.message, {
          retriable: made.error.retriable,
          ...(made.error.params && { params: made.error.params }),
        })
      return list()
    },
    async inspect(id) {
      const backup = need(id)
      const { inspection } = await worker.call({
        task: 'inspect-backup',
        database: paths.database,
        backup: backup.path,
      })
      return { backup: summary(backup), ...inspection }
    },
    async restore(id) {
      const backup = need(id)
      if (!store.writable) throw new AppError('READ_ONLY', 'The library is read-only')
      assertIdle(deps)
      const at = clock()
      const keepAs = backupPath(paths, at, 'before-restore')
      const mark = { id: deps.ids(), at, file: id }
      const { database } = paths
      await store.exchange(
        () => worker.call({ task: 'restore', database, backup: backup.path, mark, keepAs }),
        () => assertIdle(deps),
      )
      // The restored backup is still needed.
      pruneBackups(paths.backups, keepAs, at, [...deps.neededBackups(), id])
      deps.onExchanged()
      return list()
    },
    async remove(id) {
      await rm(need(id).path, removal)
      return list()
    },
  }
}

const summary = ({ path, at, bytes, label }: Backup): BackupSummary => ({
  id: basename(path),
  at,
  bytes,
  reason: label ?? 'daily',
})
