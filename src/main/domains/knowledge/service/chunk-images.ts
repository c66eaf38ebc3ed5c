import type { ReplyOf } from '../../../../shared/contract/routes.ts'
import type { DocumentImage } from '../../../../shared/model/knowledge.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { Downloads } from '../../playground/index.ts'
import { addChunkImages, type ImageFetchingDeps } from './slices/save-chunk-images.ts'
import type { Context } from '../../../context.ts'

/** A document that may have images; its name shows whether it can contain any. */
interface Pictured {
  readonly documentId: string
  readonly documentName: string
}

/** Images in chunks of documents (service-notes 7): listed by the provider, fetched once each, saved. */
export interface DocumentImages extends Downloads {
  /** Fetches the image list of a document; returns the saved one and the failure if the provider fails. */
  fetch(accountId: string, documentId: string): Promise<ReplyOf<'knowledge.images'>>
  saved(accountId: string, documentId: string): ReplyOf<'knowledge.images'>
  /** Returns saved images, by document. Lists that were never fetched are fetched in the background and then emitted. */
  of(
    accountId: string,
    documents: readonly Pictured[],
  ): Readonly<Record<string, readonly DocumentImage[]>>
}

/** Names of files that contain only text. */
const textOnly = /\.(?:md|markdown|txt|csv|tsv)$/i

/** Dependencies of images in chunks. */
export interface DocumentImagesDeps
  extends
    Pick<Context, 'store' | 'files' | 'api' | 'accounts' | 'clock' | 'log' | 'workQueue' | 'emit'>,
    Pick<ImageFetchingDeps, 'remote'> {}

export function createDocumentImages(deps: DocumentImagesDeps): DocumentImages {
  const { store, api, accounts, clock } = deps
  const mirror = store.knowledge.images
  const changed = (accountId: string, documentId: string): void =>
    deps.emit({ type: 'knowledge.images', accountId, documentId })
  const downloads = addChunkImages(deps, mirror, ({ accountId, owner }) =>
    changed(accountId, owner),
  )
  /** Documents requested in this run of the app: a provider without images is not asked again at each view. */
  const requested = new Set<string>()
  let pending: Promise<unknown> = Promise.resolve()
  let closed = false

  const saved: DocumentImages['saved'] = (accountId, id) => ({
    ...(mirror.list(accountId, id) ?? { images: [], seenAt: null }),
    failure: null,
  })
  const fetch: DocumentImages['fetch'] = async (accountId, id) => {
    try {
      const target = await accounts.target(accountId)
      const { value } = await api.documents.images(target, { id }, {})
      if (store.writable && !closed) mirror.keep(accountId, id, value, clock())
      downloads.kick()
      return saved(accountId, id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...saved(accountId, id), failure: toFailure(error, clock()) }
    }
  }
  const requestLater = (accountId: string, documentId: string): void => {
    const key = `${accountId}\n${documentId}`
    if (requested.has(key) || !store.writable) return
    requested.add(key)
    // One after another: nothing waits for them.
    pending = pending
      .then(async () => {
        if (closed) return
        const { failure } = await fetch(accountId, documentId)
        if (failure?.retriable) requested.delete(key)
        else changed(accountId, documentId)
      })
      .catch((error: unknown) =>
        deps.log.warn('failed to fetch the images of a document', { error }),
      )
  }

  return {
    fetch,
    saved,
    of(accountId, documents) {
      const known = new Map<string, readonly DocumentImage[]>()
      for (const { documentId, documentName } of documents) {
        if (documentId === '' || known.has(documentId)) continue
        const listed = mirror.list(accountId, documentId)
        if (listed) known.set(documentId, listed.images)
        // An old list references images by expired URLs.
        if (listed?.images.some(({ state }) => state === 'failed') ?? !textOnly.test(documentName))
          requestLater(accountId, documentId)
      }
      return Object.fromEntries(known)
    },
    ...downloads,
    async shutdown() {
      closed = true
      await Promise.all([pending, downloads.shutdown()])
    },
  }
}
