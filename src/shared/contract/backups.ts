import { z } from 'zod'
import type { BackupInspection, BackupSummary } from '../model/archive.ts'
import { route } from './contract.ts'

const id = z.string().regex(/^library-\d{8}T\d{9}(-[a-z-]{1,20})?\.db$/)

/** Backup routes: copies of the database in the data folder. */
export const backups = {
  list: route<{ readonly backups: readonly BackupSummary[] }>()(z.strictObject({})),
  make: route<{ readonly backups: readonly BackupSummary[] }>()(z.strictObject({})),
  inspect: route<BackupInspection>()(z.strictObject({ id })),
  /** Replaces the library with a backup, after backing up the current library. Throws WORK_UNDER_WAY. */
  restore: route<{ readonly backups: readonly BackupSummary[] }>()(z.strictObject({ id })),
  remove: route<{ readonly backups: readonly BackupSummary[] }>()(z.strictObject({ id })),
}
