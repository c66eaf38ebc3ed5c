import type { Pages } from './bridge/events.ts'
import { createArchiveIntake } from './bridge/archive-intake.ts'
import type { HandlerParts } from './bridge/handlers/all.ts'
import type { Places } from './bridge/serve.ts'
import { createAllArchives, type AllArchivesDeps } from './services/archive/all.ts'
import { createStorage, type StorageDeps } from './services/storage/storage.ts'

/** What the keeping of the library is built from. */
export type KeepingDeps = Omit<StorageDeps, 'onErased' | 'worker' | 'archives'> &
  Omit<AllArchivesDeps, 'onJob' | 'onExchanged' | 'busy'> & {
    readonly pages: Pick<Pages, 'emit'>
    readonly work: { busy(): boolean }
    /** Asks whether the account in use answers. */
    refresh(): void
    redact(text: string): string
  }

/** Whatever is done with the library as a whole: archives, backups, storage. */
export interface Keeping {
  readonly storage: ReturnType<typeof createStorage>
  readonly archives: ReturnType<typeof createAllArchives>['archives']
  /** How archives arrive and are fetched. */
  readonly places: Places['archives']
  readonly handlers: Pick<HandlerParts, 'archive' | 'backups'>
}

/** Builds it: a further list of the composition root, which stays readable so. */
export function createKeeping({ pages, refresh, redact, ...deps }: KeepingDeps): Keeping {
  const { archives, backups } = createAllArchives({
    ...deps,
    busy: () => deps.work.busy(),
    onJob: (job) => pages.emit({ type: 'archive.changed', job }),
    onExchanged() {
      pages.emit({ type: 'library.exchanged' })
      refresh()
    },
  })
  const storage = createStorage({
    ...deps,
    worker: archives.worker,
    archives,
    onErased() {
      pages.emit({ type: 'accounts.changed' })
      pages.emit({ type: 'settings.changed' })
      pages.emit({ type: 'library.changed', itemIds: [] })
      refresh()
    },
  })
  return {
    storage,
    archives,
    places: {
      take: createArchiveIntake({ ...deps, archives, redact }),
      respond: (request, name) => archives.respond(request, name),
    },
    handlers: { archive: [archives], backups: [backups] },
  }
}
