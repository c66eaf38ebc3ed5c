import { createArchives, type ArchiveDeps, type Archives } from './archive.ts'
import { createBackups, type Backups } from './backups.ts'
import type { Store } from '../../store/types.ts'

/** What archives and backups are built from. */
export type AllArchivesDeps = ArchiveDeps & {
  readonly store: Pick<Store, 'accounts' | 'backup' | 'exchange' | 'writable'>
}

/** Builds both over one worker. */
export function createAllArchives(deps: AllArchivesDeps): {
  readonly archives: Archives
  readonly backups: Backups
} {
  const archives = createArchives(deps)
  return { archives, backups: createBackups({ ...deps, worker: archives.worker }) }
}
