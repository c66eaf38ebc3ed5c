import { createArchives, type ArchiveDeps, type Archives } from './archive.ts'
import { createBackups, type Backups } from './backups.ts'
import type { Store } from '../../store/types.ts'

/** Dependencies of archives and backups. */
export type AllArchivesDeps = ArchiveDeps & {
  readonly store: Pick<Store, 'accounts' | 'backup' | 'exchange' | 'writable'>
}

/** Creates archives and backups, which share one worker. */
export function createAllArchives(deps: AllArchivesDeps): {
  readonly archives: Archives
  readonly backups: Backups
} {
  const archives = createArchives(deps)
  return { archives, backups: createBackups({ ...deps, worker: archives.worker }) }
}
