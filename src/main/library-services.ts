import type { Reply } from '../shared/contract/reply.ts'
import { intakeNameHeader, type ArchiveReply } from '../shared/contract/transport.ts'
import type { Calls } from './platform/bridge/calls.ts'
import type { Pages } from './platform/bridge/events.ts'
import type { HandlerParts } from './routes.ts'
import { decodeName } from './platform/bridge/intake.ts'
import { redactFailure } from './platform/bridge/router.ts'
import type { Places } from './platform/bridge/serve-page.ts'
import type { Clock, Log } from './deps.ts'
import { toFailure } from './errors.ts'
import type { OpenedFile } from './host.ts'
import { createAllSelfTest, type AllSelfTestDeps } from './self-test/all-checks.ts'
import {
  createArchives,
  type ArchiveDeps,
  type Archives,
} from './domains/library/service/archive/archive.ts'
import { createBackups, type Backups } from './domains/library/service/archive/backups.ts'
import { createSaves, type SavesDeps } from './domains/library/service/saves/saves.ts'
import { createStorage, type StorageDeps } from './domains/library/service/storage/storage.ts'
import { fromFileSystem } from './platform/database/file-errors.ts'
import type { Store } from './library-database/store.ts'
import { createAppUpdates, type AppUpdatesDeps } from './updates/app-updates.ts'
import { backupsOfUpdates } from './updates/records.ts'

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

/** Dependencies of archives and backups. */
type AllArchivesDeps = ArchiveDeps & {
  readonly store: Pick<Store, 'accounts' | 'backup' | 'exchange' | 'writable'>
}

/** Creates archives and backups, which share one worker. */
function createAllArchives(deps: AllArchivesDeps): {
  readonly archives: Archives
  readonly backups: Backups
} {
  const archives = createArchives(deps)
  return { archives, backups: createBackups({ ...deps, worker: archives.worker }) }
}

interface ArchiveIntakeDeps {
  readonly archives: Pick<Archives, 'receive'>
  readonly clock: Clock
  readonly log: Log
  redact(text: string): string
}

/** Handles `PUT /archive`: streams the body to disk and replies with an {@link ArchiveReply} envelope. */
function createArchiveIntake({ archives, clock, log, redact }: ArchiveIntakeDeps) {
  const take = async (request: Request): Promise<Reply<ArchiveReply>> => {
    try {
      const name = decodeName(request.headers.get(intakeNameHeader) ?? '')
      return { ok: true, data: { bytes: await archives.receive(request, name) } }
    } catch (error) {
      const failure = toFailure(fromFileSystem(error), clock())
      if (failure.code === 'INTERNAL') log.error('archive import failed', { error })
      return { ok: false, error: redactFailure(failure, redact) }
    }
  }
  return async (request: Request): Promise<Response> =>
    Response.json(await take(request), {
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
}
