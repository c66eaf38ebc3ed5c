import { join } from 'node:path'
import type { AppInfo } from '../../../shared/contract/app.ts'
import type { Reply } from '../../../shared/contract/reply.ts'
import type { BackgroundWork, Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import { toFailure } from '../../errors.ts'
import type { OpenedFile } from '../../host.ts'
import { dueForBackup } from '../../library-database/backup.ts'
import { fromFileSystem } from '../../platform/database/file-errors.ts'
import type { Pages } from '../../platform/bridge/events.ts'
import type { Keys } from '../../platform/secrets/keys.ts'
import type { Meetings } from '../audio/index.ts'
import type { Chats } from '../chats/index.ts'
import type { DocumentsService } from '../documents/index.ts'
import type { EmbedTexts, Embeddings, Knowledge } from '../knowledge/index.ts'
import type { Connection, LocalService } from '../settings/index.ts'
import type { SpeechService, Voices } from '../voices/index.ts'
import {
  appHandlers,
  archiveHandlers,
  archiveUploadHandler,
  backupHandlers,
  fileHandlers,
  libraryHandlers,
  semanticHandlers,
  streamHandlers,
  workHandlers,
} from './routes.ts'
import { createArchives } from './service/archive/archive.ts'
import { createBackups } from './service/archive/backups.ts'
import { createHousekeeping } from './service/housekeeping/housekeeping.ts'
import { createFileJobs } from './service/file-jobs/file-jobs.ts'
import { createFileImport } from './service/import-file.ts'
import { createLibrary } from './service/library.ts'
import { createLibrarySearch } from './service/library-search.ts'
import { createSaves } from './service/saves/saves.ts'
import { createSemantic } from './service/semantic/semantic.ts'
import { createStorage } from './service/storage/storage.ts'
import { createWorkList } from './service/work-list/work-list.ts'

/** What all items have in common: lists, search, Trash, saved files, archives, backups and storage. */
export function setupLibrary(
  context: Context,
  needs: {
    readonly keys: Keys
    readonly local: LocalService
    /** Folder of the local service. */
    readonly localHome: string
    readonly connection: Pick<Connection, 'refresh'>
    readonly meetings: Meetings
    readonly documents: DocumentsService
    readonly knowledge: Knowledge
    readonly embeddings: Embeddings
    readonly texts: EmbedTexts
    readonly chats: Chats
    readonly voices: Voices
    readonly speech: SpeechService
    /** Work of all domains. */
    readonly work: BackgroundWork
    info(): AppInfo
    readonly pages: Pages
    /** Names of backups that updates need for a rollback. */
    neededBackups(): readonly string[]
    /** Handles `/media/<name>` as for pages. */
    media(request: Request): Promise<Response>
  },
) {
  const { store, clock, emit, calls, home, hub } = context
  const { work, meetings, connection } = needs
  const library = createLibrary({
    ...context,
    onChange(itemIds) {
      emit({ type: 'library.changed', itemIds })
      needs.chats.changed(itemIds)
    },
    onOrganized: () => emit({ type: 'library.organized' }),
    beforeRemove: work.forget,
    onRestored: work.restored,
    afterPurge: meetings.purge,
  })
  const housekeeping = createHousekeeping({
    ...context,
    library,
    backupIsDue: () => dueForBackup(join(home, 'backups'), clock()),
    idle: () => !work.busy(),
  })
  const semantic = createSemantic({
    ...context,
    texts: needs.texts,
    idle: () => work.underWay().every((name) => name === 'other'),
  })
  needs.pages.listen(semantic.noticed)
  const saves = createSaves({ ...context, media: needs.media })
  const fileJobs = createFileJobs({ ...context, ...needs })
  const archiveDeps = {
    ...context,
    ...needs,
    fileJobs,
    saved: saves.saved,
    busy: work.busy,
    onExchanged() {
      emit({ type: 'library.exchanged' })
      connection.refresh()
    },
  }
  const archives = createArchives(archiveDeps)
  const backups = createBackups({ ...archiveDeps, worker: archives.worker })
  const storage = createStorage({
    ...context,
    ...needs,
    worker: archives.worker,
    archives,
    purge: library.purge,
    onErased() {
      emit({ type: 'accounts.changed' })
      emit({ type: 'settings.changed', settings: store.settings.get() })
      emit({ type: 'library.changed', itemIds: [] })
      connection.refresh()
    },
  })

  return {
    library,
    saves,
    housekeeping,
    /** Executes the export routes as jobs. */
    wrapExports: fileJobs.wrap,
    /** Searches the Library for the on-device assistants. */
    search: createLibrarySearch(store),
    /** Upload of an archive, and downloads of written ones. */
    archives: { take: archiveUploadHandler(archives, context), respond: archives.respond },
    /** Inspects an archive that the user opened with Lectern, for the page to show. Never rejects. */
    async openArchive(path: string): Promise<Reply<OpenedFile>> {
      try {
        await archives.open(path)
        return { ok: true, data: { media: null } }
      } catch (error) {
        return { ok: false, error: toFailure(fromFileSystem(error), clock()) }
      }
    },
    work: {
      other: [
        semantic,
        {
          resume: fileJobs.resume,
          busy: fileJobs.busy,
          stopAll: fileJobs.stopAll,
          async shutdown() {
            housekeeping.stop()
            // The archive worker ends after the job that it executes.
            await Promise.all([fileJobs.shutdown(), saves.close()])
            await archives.shutdown()
          },
        },
      ],
    } satisfies Works,
    /** A recording began, continues or ended. */
    recording: semantic.recording,
    handlers: {
      ...appHandlers({ ...context, info: needs.info, storage }),
      ...archiveHandlers(archives),
      ...backupHandlers(backups),
      ...fileHandlers(saves, calls),
      ...libraryHandlers(library, createFileImport({ ...context, ...needs })),
      ...semanticHandlers(semantic),
      ...streamHandlers(hub, calls),
      ...workHandlers(createWorkList({ ...needs, store, semantic, fileJobs }), fileJobs),
    },
  }
}
