import type { Reply } from '../shared/bridge/reply.ts'
import { toFailure } from './errors.ts'
import type { OpenedFile } from './host.ts'
import { fromFileSystem } from './store/file-errors.ts'
import type { Calls } from './bridge/calls.ts'
import type { Pages } from './bridge/events.ts'
import { createArchiveIntake } from './bridge/archive-intake.ts'
import type { HandlerParts } from './bridge/handlers/all.ts'
import type { Places } from './bridge/serve.ts'
import { createAllSelfTest, type AllSelfTestDeps } from './self-test/all-checks.ts'
import { createAllArchives, type AllArchivesDeps } from './services/archive/all.ts'
import { createSaves, type SavesDeps } from './services/saves/saves.ts'
import { createStorage, type StorageDeps } from './services/storage/storage.ts'
import { backupsOfUpdates } from './updates/records.ts'
import { createAppUpdates, type AppUpdatesDeps } from './updates/app-updates.ts'

/** Dependencies of the library services. */
export type LibraryServicesDeps = Omit<StorageDeps, 'onErased' | 'worker' | 'archives'> &
  Omit<AllArchivesDeps, 'onJob' | 'onExchanged' | 'busy' | 'saved' | 'neededBackups'> &
  SavesDeps &
  Pick<AppUpdatesDeps, 'store' | 'random' | 'after' | 'network'> &
  Pick<AllSelfTestDeps, 'host' | 'createApp'> & {
    readonly pages: Pick<Pages, 'emit'>
    readonly calls: Calls
    readonly work: { busy(): boolean }
    /** Checks whether the active account is reachable. */
    refresh(): void
    redact(text: string): string
  }

/**
 * Services for the library as a whole: archives, backups, storage, the self-test on a separate library, and exported files.
 */
export interface LibraryServices {
  readonly storage: ReturnType<typeof createStorage>
  /** Upload and download of archives, and files saved by a browser. */
  readonly places: Pick<Places, 'archives' | 'saves' | 'selfTest'>
  readonly updates: ReturnType<typeof createAppUpdates>
  /** Inspects an archive that the user opened with Lectern, for the page to show. Never rejects. */
  openArchive(path: string): Promise<Reply<OpenedFile>>
  /** Called when the page of this connection starts or ends a recording. */
  recording(live: boolean, connectionId: string | null): void
  /** Stops running work. */
  shutdown(): Promise<void>
  readonly handlers: Pick<HandlerParts, 'archive' | 'backups' | 'files' | 'selfTest' | 'updates'>
}

/** Creates the library services; separate from the composition root to keep that readable. */
export function createLibraryServices({
  pages,
  refresh,
  redact,
  host,
  ...deps
}: LibraryServicesDeps): LibraryServices {
  const saves = createSaves(deps)
  const { archives, backups } = createAllArchives({
    ...deps,
    saved: saves.saved,
    busy: () => deps.work.busy(),
    neededBackups: () => backupsOfUpdates(deps.home),
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
  const updates = createAppUpdates({
    ...deps,
    host,
    onChange: (state) => pages.emit({ type: 'updates.changed', state }),
  })
  const selfTest = createAllSelfTest({ ...deps, host, pages, updates })
  return {
    storage,
    places: {
      archives: {
        take: createArchiveIntake({ ...deps, archives, redact }),
        respond: (request, name) => archives.respond(request, name),
      },
      saves,
      selfTest,
    },
    handlers: {
      archive: [archives],
      backups: [backups],
      files: [saves, deps.calls],
      selfTest: [selfTest],
      updates: [updates],
    },
    updates,
    async openArchive(path) {
      try {
        await archives.open(path)
        return { ok: true, data: { media: null } }
      } catch (error) {
        return { ok: false, error: toFailure(fromFileSystem(error), deps.clock()) }
      }
    },
    recording(live, connectionId) {
      host.onRecording?.(live, connectionId)
      updates.recording(live)
    },
    async shutdown() {
      await Promise.all([archives.shutdown(), saves.close(), updates.close(), selfTest.shutdown()])
    },
  }
}
