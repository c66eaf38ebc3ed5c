import type { AppInfo } from '../../../shared/contract/app.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Clock } from '../../deps.ts'
import type { HostDeps } from '../../host.ts'
import { checkExternalUrl } from '../../platform/security/external-url.ts'
import type { Storage } from './service/storage/storage.ts'
import { type Handlers, redactFailure } from '../../platform/bridge/router.ts'
import type { Reply } from '../../../shared/contract/reply.ts'
import { intakeNameHeader, type ArchiveReply } from '../../../shared/contract/transport.ts'
import type { Context } from '../../context.ts'
import { decodeName } from '../../platform/bridge/intake.ts'
import { fromFileSystem } from '../../platform/database/file-errors.ts'
import type { Archives } from './service/archive/archive.ts'
import type { Backups } from './service/archive/backups.ts'
import type { Saves } from './service/saves/saves.ts'
import type { Calls } from '../../platform/bridge/calls.ts'
import type { Library } from './service/library.ts'
import type { FileJobs } from './service/file-jobs/file-jobs.ts'
import type { FileImport } from './service/import-file.ts'
import type { Semantic } from './service/semantic/semantic.ts'
import type { StreamHub } from '../../platform/bridge/streams.ts'
import type { WorkList } from './service/work-list/work-list.ts'

export interface AppHandlerDeps {
  info(): AppInfo
  readonly storage: Storage
  /** Opens a URL that passed the link check; returns whether it was opened. */
  openExternal(url: string): Promise<boolean>
  notify?: HostDeps['notify']
  readonly clock: Clock
}

/** Milliseconds within which all pages have reported the same event. */
const sameEventMs = 10_000

/** Shows one notification for an event that several pages report; a page itself may replace its notification at any time. */
function createNotices({
  notify,
  clock,
}: Pick<AppHandlerDeps, 'notify' | 'clock'>): Handlers['app.notify'] {
  const reported = new Map<string, { readonly pageId: string; readonly at: number }>()
  return async (notice, { connection }) => {
    const at = clock()
    for (const [id, before] of reported) if (at - before.at >= sameEventMs) reported.delete(id)
    const first = reported.get(notice.id)
    if (notice.about === 'app' && first && first.pageId !== connection.id) return { shown: true }
    reported.set(notice.id, { pageId: connection.id, at })
    return { shown: (await notify?.(notice)) ?? false }
  }
}

/** Handlers of the app itself: first-frame facts, storage, external links, erasing. */
export const appHandlers = (
  deps: AppHandlerDeps,
): Pick<
  Handlers,
  | 'app.info'
  | 'app.storage'
  | 'app.storageKinds'
  | 'app.cleanUp'
  | 'app.openExternal'
  | 'app.notify'
  | 'app.eraseAll'
> => ({
  'app.info': () => deps.info(),
  'app.storage': () => deps.storage.use(),
  'app.storageKinds': async () => ({ kinds: await deps.storage.kinds() }),
  'app.cleanUp': async ({ kind }) => {
    await deps.storage.cleanUp(kind)
    return { kinds: await deps.storage.kinds() }
  },
  'app.openExternal': async ({ url }) => {
    const verdict = checkExternalUrl(url)
    if (!verdict.ok) throw new AppError('REFUSED', 'This link is not allowed')
    return { opened: await deps.openExternal(verdict.url) }
  },
  'app.notify': createNotices(deps),
  'app.eraseAll': async () => {
    await deps.storage.eraseAll()
    return {}
  },
})

/** Handlers of archives: the library, or a selection of it, as one file. */
export const archiveHandlers = (
  archives: Archives,
): Pick<Handlers, Extract<keyof Handlers, `archive.${string}`>> => ({
  'archive.state': () => archives.state(),
  'archive.export': (request, { connection }) => archives.export(request, connection.id),
  'archive.inspect': (_none, { connection }) => archives.inspect(connection.id),
  'archive.import': () => archives.import(),
  'archive.cancel': () => archives.cancel(),
  'archive.forget': () => archives.forget(),
})

/** Handles `PUT /archive`: streams the body to disk and replies with an {@link ArchiveReply} envelope. */
export function archiveUploadHandler(
  archives: Pick<Archives, 'receive'>,
  { clock, log, redact }: Pick<Context, 'clock' | 'log' | 'redact'>,
) {
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

/** Handlers of database backups. */
export const backupHandlers = (
  backups: Backups,
): Pick<Handlers, Extract<keyof Handlers, `backups.${string}`>> => ({
  'backups.list': () => backups.list(),
  'backups.make': () => backups.make(),
  'backups.inspect': ({ id }) => backups.inspect(id),
  'backups.restore': ({ id }) => backups.restore(id),
  'backups.remove': ({ id }) => backups.remove(id),
})

/** Handlers of files that leave Lectern: saved, shown in their folder, dragged out. */
export const fileHandlers = (
  saves: Saves,
  calls: Calls,
): Pick<Handlers, 'files.save' | 'files.reveal' | 'files.drag'> => ({
  'files.save': ({ callId, ...request }, { connection }) =>
    callId === undefined
      ? saves.save(request, connection.id)
      : calls.run(connection.id, callId, (signal) =>
          saves.save(request, connection.id, {
            signal,
            onProgress: (name, fraction) =>
              connection.push({
                channel: 'app',
                event: { type: 'save.progress', callId, name, fraction },
              }),
          }),
        ),
  'files.reveal': async (what) => {
    await saves.reveal(what)
    return {}
  },
  'files.drag': (request, { connection }) => saves.drag(request, connection.id),
})

/** Handlers of the library: lists, items, Trash and search. */
export const libraryHandlers = (
  library: Library,
  importFile: FileImport,
): Pick<
  Handlers,
  | 'library.list'
  | 'library.entries'
  | 'library.tags'
  | 'library.organize'
  | 'library.facets'
  | 'library.saveFolder'
  | 'library.removeFolder'
  | 'library.import'
  | 'library.summary'
  | 'library.rename'
  | 'library.remove'
  | 'library.restore'
  | 'library.purge'
  | 'library.search'
  | 'library.searchEntries'
> => ({
  'library.list': (query) => library.list(query),
  'library.entries': (query) => library.entries(query),
  'library.tags': () => ({ tags: library.tags() }),
  'library.organize': (change) => {
    library.organize(change)
    return {}
  },
  'library.facets': ({ kind }) => library.facets(kind),
  'library.saveFolder': (folder) => library.saveFolder(folder),
  'library.removeFolder': ({ id }) => ({ itemIds: library.removeFolder(id) }),
  'library.import': (request) => importFile(request),
  'library.summary': ({ id }) => library.summary(id),
  'library.rename': ({ id, title }) => library.rename(id, title),
  'library.remove': async ({ ids }) => {
    await library.remove(ids)
    return {}
  },
  'library.restore': ({ ids }) => {
    library.restore(ids)
    return {}
  },
  'library.purge': async ({ ids }) => {
    await library.purge(ids)
    return {}
  },
  'library.search': (query) => library.search(query),
  'library.searchEntries': (query) => library.searchEntries(query),
})

/** Handlers of semantic search in the Library: embedded on request, combined with keyword search. */
export const semanticHandlers = (
  semantic: Semantic,
): Pick<
  Handlers,
  | 'semantic.indexes'
  | 'semantic.plan'
  | 'semantic.begin'
  | 'semantic.keepUp'
  | 'semantic.resume'
  | 'semantic.pause'
  | 'semantic.stop'
  | 'semantic.remove'
  | 'semantic.search'
> => ({
  'semantic.indexes': () => semantic.indexes(),
  'semantic.plan': (choice) => semantic.plan(choice),
  'semantic.begin': (choice) => semantic.begin(choice),
  'semantic.keepUp': async () => ({ index: await semantic.keepUp() }),
  'semantic.resume': ({ id }) => semantic.resumeIndex(id),
  'semantic.pause': ({ id }) => semantic.pause(id),
  'semantic.stop': ({ id }) => semantic.stop(id),
  'semantic.remove': async ({ id }) => {
    await semantic.remove(id)
    return {}
  },
  'semantic.search': (query) => semantic.search(query),
})

/** Handlers for attaching to and detaching from streams, and for aborting a long call. */
export const streamHandlers = (
  hub: StreamHub,
  calls: Calls,
): Pick<Handlers, 'streams.attach' | 'streams.detach' | 'streams.cancel'> => ({
  'streams.attach': ({ streamId }, { connection }) => hub.attach(streamId, connection.id),
  'streams.detach': ({ streamId }, { connection }) => {
    hub.detach(streamId, connection.id)
    return {}
  },
  'streams.cancel': ({ callId }, { connection }) => ({
    cancelled: calls.cancel(connection.id, callId),
  }),
})

/** Handlers that list background work, move it to another account, dismiss failures, and stop or repeat exports. */
export const workHandlers = (
  list: WorkList,
  fileJobs: Pick<FileJobs, 'retry' | 'remove'>,
): Pick<Handlers, Extract<keyof Handlers, `work.${string}`>> => ({
  'work.list': () => ({ work: list.all() }),
  'work.move': async (request) => {
    await list.move(request)
    return { work: list.all() }
  },
  'work.dismiss': ({ id }) => {
    list.dismiss(id)
    return { work: list.all() }
  },
  'work.retryExport': async ({ id }, { connection }) => {
    await fileJobs.retry(id, connection)
    return { work: list.all() }
  },
  'work.removeExport': async ({ id }) => {
    await fileJobs.remove(id)
    return { work: list.all() }
  },
})
