import { join } from 'node:path'
import { limitsWith } from '../../../shared/service/limits.ts'
import type { Log } from '../../deps.ts'
import { dueForBackup } from '../../store/backup.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createHousekeeping, type Housekeeping } from '../housekeeping/housekeeping.ts'
import { createKindOf, type KindOf } from './kind-of.ts'
import { createLibrary, type Library, type LibraryDeps } from './library.ts'

/** What everything about the Library is built from. */
export type AllLibraryDeps = Omit<LibraryDeps, 'beforeRemove' | 'onRestored'> & {
  readonly home: string
  readonly log: Log
  readonly accounts: Pick<Accounts, 'active'>
  /** What works on items: it stops before they go, and may go on when they come back. */
  readonly work: {
    forget(itemIds: readonly string[]): Promise<void>
    restored(itemIds: readonly string[]): void
    busy(): boolean
  }
}

/** The Library, what its files become, and who tidies it up. */
export interface AllLibrary {
  readonly library: Library
  readonly kindOf: KindOf
  readonly housekeeping: Housekeeping
}

/** Builds it. */
export function createAllLibrary(deps: AllLibraryDeps): AllLibrary {
  const { home, work, accounts, clock } = deps
  const library = createLibrary({
    ...deps,
    beforeRemove: (itemIds) => work.forget(itemIds),
    onRestored: (itemIds) => work.restored(itemIds),
  })
  return {
    library,
    kindOf: createKindOf({
      ...deps,
      limits: () => limitsWith(accounts.active().profile.limits).transcription,
    }),
    housekeeping: createHousekeeping({
      ...deps,
      library,
      backupIsDue: () => dueForBackup(join(home, 'backups'), clock()),
      idle: () => !work.busy(),
    }),
  }
}
