import { readFile, writeFile } from 'node:fs/promises'
import { textFormatOfMime } from '../../../../shared/documents/text-formats.ts'
import type { DocumentItem, DocumentVersion } from '../../../../shared/model/document.ts'
import { defaultParseOptions } from '../../../../shared/model/document.ts'
import { localAccountId } from '../../../../shared/provider/profiles.ts'
import { AppError } from '../../../errors.ts'
import type { DocumentHead, RemoteImage, DocumentsStore } from '../store/documents-types.ts'
import { createAnnouncer } from '../../../platform/bridge/announcer.ts'
import { createIntake } from './intake.ts'
import { createPageImages } from './page-images.ts'
import { createPartFiles, type PartFiles } from './part-files.ts'
import { createQueue } from './queue.ts'
import { lockedFailure } from './document-errors.ts'
import type { DocumentsDeps, DocumentsService } from './document-service-types.ts'
import { createVersions } from './versions.ts'
import type { DocumentWorker } from '../worker/work.ts'
import { discard } from '../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import { modestImage } from '../../../platform/files/bounded-image.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { Accounts } from '../../settings/index.ts'
import {
  addDownloads,
  fetchFailure,
  fetchImage,
  ownHost,
  type Downloads,
} from '../../playground/index.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { Context } from '../../../context.ts'
import { imageAddresses } from '../worker/reading/image-links.ts'

/** Dots per inch of crops of a page, and the margin around them as a fraction of the page (notes R8). */
const cropDpi = 200
const cropMargin = 0.005
/** Maximum number of pages per event. */
const pagesAnEvent = 500

/** Creates the documents service from its parts: import, planning, sending, images. */
export function createDocuments(deps: DocumentsDeps): DocumentsService {
  const { clock, log } = deps
  const store = deps.store.documents
  /** Passwords by document, for as long as the app runs: never stored, never logged. */
  const passwords = new Map<string, string>()

  /** Adds to a version what only the running app knows: why it does not continue. */
  const present = (version: DocumentVersion): DocumentVersion => {
    if (version.state !== 'waiting' && version.state !== 'running') return version
    const trouble = queue.isLocked(version.documentId)
      ? lockedFailure(clock())
      : queue.trouble(version.accountId)
    return trouble ? { ...version, error: trouble } : version
  }
  const presented = <T extends DocumentHead>(document: T): T & { readonly unlocked: boolean } => ({
    ...document,
    unlocked: passwords.has(document.id),
    versions: document.versions.map(present),
  })
  const announcer = createAnnouncer(
    (id) => {
      const head = store.head(id)
      return head && presented(head)
    },
    (document) => deps.emit({ type: 'document.changed', document }),
    deps.after,
    log,
  )
  const parts = createPartFiles(deps)
  const queue = createQueue({
    ...deps,
    parts,
    passwords,
    onPart({ documentId, versionId, first, last }) {
      const pages = store.pages(documentId, { first, last, versionId })
      deps.emit({ type: 'document.pages', id: documentId, versionId, pages })
      announcer.changed(documentId)
    },
    onReply(documentId) {
      remote.kick()
      pageImages.kick(documentId)
      libraryChanged(documentId)
    },
    onTrouble() {
      for (const { documentId } of store.unfinished()) announcer.changed(documentId)
      reportWaiting()
    },
  })
  const remote = createRemoteImages({ ...deps, parts, onImage: (id) => announcer.changed(id) })
  const pageImages = createPageImages({ ...deps, passwords, isBusy: () => queue.busy() })
  const intake = createIntake({ ...deps, parts, passwords })
  const versions = createVersions({
    ...deps,
    onStep: (documentId) => announcer.changed(documentId),
    onPlanned({ id, documentId }) {
      queue.kick()
      reportPages(id, documentId)
      announcer.now(documentId)
      libraryChanged(documentId)
    },
  })

  const libraryChanged = (id: string): void => deps.emit({ type: 'library.changed', itemIds: [id] })
  let reportedWaiting = 0
  const reportWaiting = (): void => {
    const offline = queue.offline()
    const waiting = store.unfinished().filter(({ accountId }) => offline.has(accountId)).length
    if (waiting === reportedWaiting) return
    reportedWaiting = waiting
    deps.onWaiting(waiting)
  }
  const need = (id: string): DocumentItem => {
    const document = store.get(id)
    if (!document) throw new AppError('NOT_FOUND', 'Document not found')
    return presented(document)
  }
  const needVersion = (id: string): DocumentVersion => {
    const version = store.version(id)
    if (!version) throw new AppError('NOT_FOUND', 'Version not found')
    return version
  }
  /** Emits the changed version and returns it. */
  const changed = (version: DocumentVersion): DocumentVersion => {
    announcer.now(version.documentId)
    libraryChanged(version.documentId)
    reportWaiting()
    return present(version)
  }
  const edited = (id: string): void => {
    announcer.changed(id)
    libraryChanged(id)
  }

  /** Documents that arrived since the app started: one that was locked is parsed once it is unlocked. */
  const arrived = new Set<string>()
  /** Parses a new document at once, unless the user has not said yet whether its pages may be sent to the active account. */
  const parseOnArrival = (id: string): void => {
    const { facts, versions: earlier } = need(id)
    if (!arrived.has(id) || !facts || facts.pages === 0 || earlier.length > 0) return
    // Read here, whatever account is active: there is nothing to send.
    if (textFormatOfMime(facts.mime)) {
      versions.parse({ id, options: defaultParseOptions })
      return
    }
    const { id: active } = deps.accounts.active()
    const choice =
      active === localAccountId ? 'this-computer' : deps.store.settings.get().parseOnArrival[active]
    if (choice === undefined) return
    versions.parse({
      id,
      options: defaultParseOptions,
      accountId: choice === 'account' ? active : localAccountId,
    })
  }

  return {
    async create(request) {
      const { id, known } = await intake.create(request)
      if (known && request.password !== undefined && !passwords.has(id))
        await intake.unlock(id, request.password)
      if (!known) {
        arrived.add(id)
        parseOnArrival(id)
        libraryChanged(id)
      }
      pageImages.kick(id)
      return { document: need(id), known }
    },
    get: need,
    async unlock(id, password) {
      await intake.unlock(id, password)
      queue.release(id)
      parseOnArrival(id)
      pageImages.kick(id)
      announcer.now(id)
      return need(id)
    },
    plan: (request) => versions.plan(request),
    parse(request) {
      const version = versions.parse(request)
      queue.wake(version.accountId)
      return present(version)
    },
    retry(request) {
      const version = versions.retry(request)
      queue.wake(version.accountId)
      return changed(version)
    },
    async cancel(versionId) {
      const version = store.cancel(versionId)
      await queue.cancel(versionId)
      reportPages(versionId, version.documentId)
      return changed(needVersion(versionId))
    },
    prioritise(versionId, priority) {
      const version = store.setPriority(versionId, priority)
      queue.kick()
      return changed(version)
    },
    queue: () =>
      store.unfinished().map((version) => ({
        ...present(version),
        title: store.head(version.documentId)?.title ?? '',
      })),
    pages({ id, ...query }) {
      if (!store.head(id)) throw new AppError('NOT_FOUND', 'Document not found')
      return pagesWithImages(store, id, query)
    },
    choose({ id, pages, versionId }) {
      store.choose(id, pages, versionId)
      edited(id)
    },
    edit({ id, blockId, text }) {
      const block = store.edit(id, blockId, text)
      edited(id)
      return block
    },
    image: ({ id, page, width }) => pageImages.get(id, page, width),
    loadImage: ({ id, address }) => remote.load(id, address),
    images: (id, which) => store.pageImages(id, which),
    async crop({ id, blockId, box, dpi = cropDpi, margin = cropMargin }) {
      const block = store.block(blockId)
      const document = need(id)
      // A block's position is relative to a page of its own document; on a page of another one it is meaningless.
      if (!block || store.version(block.versionId)?.documentId !== id)
        throw new AppError('NOT_FOUND', 'The document does not have this block')
      const place = box ?? block.box
      if (!place) throw new AppError('NOT_FOUND', 'The block has no position on its page')
      if (document.mediaId === null)
        throw new AppError('FILE_MISSING', 'The original file no longer exists')
      const [left, top, right, bottom] = place
      return deps.work.crop({
        path: await deps.files.path(document.mediaId),
        password: passwords.get(id) ?? null,
        page: block.page,
        box: [
          Math.max(0, left - margin),
          Math.max(0, top - margin),
          Math.min(1, right + margin),
          Math.min(1, bottom + margin),
        ],
        dpi,
      })
    },
    async resume() {
      // Called again while the queue works (the library was repaired): what is in flight belongs to this run.
      const isFirst = !queue.busy()
      if (isFirst) store.restart()
      for (const { id } of store.unfinished()) versions.finish(id)
      if (isFirst) await parts.empty()
      queue.kick()
      remote.kick()
      for (const { documentId } of store.unfinished()) pageImages.kick(documentId)
    },
    accountReady(accountId) {
      queue.wake(accountId)
      remote.wake()
    },
    async forget(ids) {
      pageImages.forget(ids)
      // Items in Trash are deleted permanently; items moved to Trash may be restored, and keep their password.
      for (const id of ids) if (store.head(id)?.deletedAt !== null) passwords.delete(id)
      await queue.forget(ids)
      reportWaiting()
    },
    restored(ids) {
      for (const id of ids) {
        queue.release(id)
        pageImages.kick(id)
      }
      reportWaiting()
    },
    busy: () => queue.busy() || remote.busy(),
    stopAll: () => remote.stopAll(),
    async erase() {
      passwords.clear()
      await queue.forget(store.unfinished().map(({ documentId }) => documentId))
      await parts.empty()
    },
    async shutdown() {
      announcer.close()
      versions.shutdown()
      await Promise.all([queue.shutdown(), remote.shutdown(), pageImages.shutdown()])
      await deps.work.close()
    },
  }

  /** Emits the pages of a version in events of moderate size. */
  function reportPages(versionId: string, documentId: string): void {
    const pages = store.pages(documentId, { versionId })
    for (let from = 0; from < pages.length; from += pagesAnEvent)
      deps.emit({
        type: 'document.pages',
        id: documentId,
        versionId,
        pages: pages.slice(from, from + pagesAnEvent),
      })
  }
}

interface RemoteImagesDeps extends Pick<Context, 'store' | 'clock' | 'log' | 'workQueue'> {
  readonly parts: Pick<PartFiles, 'freePath'>
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly work: Pick<DocumentWorker, 'convert'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
  onImage(documentId: string): void
}

/**
 * Saves images that responses reference to the library, each once: automatically those that a provider put into its
 * response and stores on its own host, before their URLs expire; any other on request.
 */
interface RemoteImages extends Pick<Downloads, 'wake' | 'stopAll'> {
  /** Called when there may be something to fetch. */
  kick(): void
  /**
   * Fetches an image referenced by a response of the document, once, and returns its media ID. Throws NOT_FOUND, and as
   * `fetchRemote`.
   */
  load(documentId: string, address: string): Promise<string>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Number of images fetched at a time: they are on one host, and no one waits for them. */
const atOnce = 2
/** Maximum size in bytes of a converted image. */
const convertedBytes = 10 * 1024 * 1024

/** Creates the fetching. Requests follow the rules for URLs in content; only the user's own provider may be private. */
function createRemoteImages(deps: RemoteImagesDeps): RemoteImages {
  const store = deps.store.documents
  const closing = new AbortController()
  /** Images that were requested. */
  const loading = new Map<string, Promise<string>>()

  const nameOf = ({ documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>): string =>
    `${documentId} ${address}`
  const parsedBy = (documentId: string): ReadonlySet<string> =>
    new Set(store.versions(documentId).map(({ accountId }) => accountId))

  const fetchAndSave = async (
    { documentId, address }: Pick<RemoteImage, 'documentId' | 'address'>,
    isRequested: boolean,
    signal: AbortSignal,
  ): Promise<string> => {
    const by = parsedBy(documentId)
    const mediaId = await keep(await fetchImage(deps, address, by, signal, isRequested))
    store.putRemote(documentId, address, mediaId)
    return mediaId
  }
  const keep = async (bytes: Uint8Array): Promise<string> => {
    const media = await deps.files.intake(streamOf(bytes), 'picture', bytes.byteLength)
    if (media.mime === 'image/png' || media.mime === 'image/jpeg')
      return (await modestImage(deps.files, media)).id
    await deps.files.remove(media.id)
    // Its header specified an image; a decoder verifies that, off the main thread.
    const from = await deps.parts.freePath()
    const to = await deps.parts.freePath()
    try {
      await writeFile(from, bytes)
      await deps.work.convert({ path: from, to, maxBytes: convertedBytes })
      return (await deps.files.intake(streamOf(await readFile(to)), 'picture')).id
    } finally {
      await discard(from, deps.log)
      await discard(to, deps.log)
    }
  }

  const load = async (documentId: string, address: string): Promise<string> => {
    const known = store.remoteImages(documentId).find((one) => one.address === address)
    if (!known) throw new AppError('NOT_FOUND', 'No response references this image')
    if (known.mediaId !== null) return known.mediaId
    try {
      return await fetchAndSave(known, true, closing.signal)
    } catch (thrown) {
      if (!closing.signal.aborted && !isStoreProblem(thrown))
        store.failRemote(documentId, address, fetchFailure(thrown, deps), null)
      throw thrown
    }
  }

  const downloads = addDownloads<RemoteImage>(deps, {
    about: 'image of a response',
    size: atOnce,
    id: nameOf,
    due: (at, limit) => store.remoteWaiting(at, limit),
    nextTime: (after) => store.nextRemoteTime(after),
    async fetch(image, signal) {
      const { documentId, address } = image
      // No document can make Lectern call a host that the user gave no key to.
      if (!(await ownHost(deps, address, parsedBy(documentId))))
        return store.restRemote(documentId, address)
      await fetchAndSave(image, false, signal)
      deps.onImage(documentId)
    },
    failed: ({ documentId, address }, error, retryAt) =>
      store.failRemote(documentId, address, error, retryAt),
  })

  return {
    kick: () => downloads.kick(),
    wake: () => downloads.wake(),
    stopAll: () => downloads.stopAll(),
    load(documentId, address) {
      const name = nameOf({ documentId, address })
      const known = loading.get(name)
      if (known) return known
      const done = load(documentId, address).finally(() => loading.delete(name))
      loading.set(name, done)
      return done
    },
    busy: () => downloads.busy() || loading.size > 0,
    async shutdown() {
      closing.abort()
      await Promise.allSettled([downloads.shutdown(), ...loading.values()])
    },
  }
}

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new Blob([Buffer.from(bytes)]).stream()

/** Maximum number of pages returned at a time: each may have dozens of blocks. */
const maxPages = 50

/** Returns pages with their blocks, and the saved images they reference. */
function pagesWithImages(
  store: Pick<DocumentsStore, 'pages' | 'blocks' | 'remoteImages'>,
  id: string,
  query: {
    readonly first: number
    readonly last: number
    readonly versionId?: string | undefined
  },
): ReturnType<DocumentsService['pages']> {
  const count = query.last - query.first + 1
  if (count > maxPages)
    throw new AppError('LIMIT_EXCEEDED', 'Too many pages in one request', {
      params: { what: 'pages', limit: maxPages, value: count },
    })
  const pages = store.pages(id, query)
  const blocks = store.blocks(id, query)
  const layouts = pages.flatMap(({ layoutPicture }) => layoutPicture ?? [])
  const named = new Set(imageAddresses(blocks, layouts))
  if (named.size === 0) return { pages, blocks, images: {} }
  const savedImages = store
    .remoteImages(id)
    .flatMap(({ address, mediaId }) =>
      mediaId !== null && named.has(address) ? [[address, mediaId] as const] : [],
    )
  return { pages, blocks, images: Object.fromEntries(savedImages) }
}
