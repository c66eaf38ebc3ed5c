import { join } from 'node:path'
import type { Log } from '../../../deps.ts'
import { dueForBackup } from '../../../library-database/backup.ts'
import { createHousekeeping, type Housekeeping } from './housekeeping/housekeeping.ts'
import { createKindOf, type KindOf } from './kind-of.ts'
import { createLibrary, type Library, type LibraryDeps } from './library.ts'

/** Dependencies of all Library services. */
export type AllLibraryDeps = Omit<LibraryDeps, 'beforeRemove' | 'onRestored'> & {
  readonly home: string
  readonly log: Log
  /** Work on items: stops before they are removed, and may resume when they are restored. */
  readonly work: {
    forget(itemIds: readonly string[]): Promise<void>
    restored(itemIds: readonly string[]): void
    busy(): boolean
  }
}

/** The Library, its file imports and its cleanup. */
export interface AllLibrary {
  readonly library: Library
  readonly kindOf: KindOf
  readonly housekeeping: Housekeeping
}

export function createAllLibrary(deps: AllLibraryDeps): AllLibrary {
  const { home, work, clock } = deps
  const library = createLibrary({
    ...deps,
    beforeRemove: (itemIds) => work.forget(itemIds),
    onRestored: (itemIds) => work.restored(itemIds),
  })
  return {
    library,
    kindOf: createKindOf(deps),
    housekeeping: createHousekeeping({
      ...deps,
      library,
      backupIsDue: () => dueForBackup(join(home, 'backups'), clock()),
      idle: () => !work.busy(),
    }),
  }
}
