import type { ReplyOf } from '../../../shared/bridge/routes.ts'
import type { DocumentImage } from '../../../shared/model/knowledge.ts'
import { AppError, toFailure } from '../../errors.ts'
import { createImageFetching, type ImageFetching } from '../slices/chunk-images.ts'
import type { KnowledgeDeps } from './types.ts'

/** A document whose pictures may be wanted; its name says whether it can hold any. */
export interface Pictured {
  readonly documentId: string
  readonly documentName: string
}

/** Pictures in the slices of documents (service-notes 7): listed by the service, fetched once each, kept. */
export interface DocumentImages extends Pick<ImageFetching, 'kick' | 'busy' | 'idle'> {
  /** Asks for the list of a document; what is kept, and why it could not be asked for, where the service fails. */
  fetch(accountId: string, documentId: string): Promise<ReplyOf<'knowledge.images'>>
  saved(accountId: string, documentId: string): ReplyOf<'knowledge.images'>
  /** What is kept, by document. Lists that were never fetched are asked for beside it, and told when they came. */
  of(
    accountId: string,
    documents: readonly Pictured[],
  ): Readonly<Record<string, readonly DocumentImage[]>>
  shutdown(): Promise<void>
}

/** Names of files that hold words alone. */
const textOnly = /\.(?:md|markdown|txt|csv|tsv)$/i

/** Builds it. */
export function createDocumentImages(deps: KnowledgeDeps): DocumentImages {
  const { store, api, accounts, clock } = deps
  const mirror = store.knowledge.images
  const fetching = createImageFetching(deps, mirror, ({ accountId, owner }) =>
    deps.onImages(accountId, owner),
  )
  /** Asked for in this life of the app: a service that has no pictures to tell is not asked at each look. */
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
      fetching.kick()
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
    // One after another: nobody waits for them.
    pending = pending
      .then(async () => {
        if (closed) return
        const { failure } = await fetch(accountId, documentId)
        if (failure?.retriable) requested.delete(key)
        else deps.onImages(accountId, documentId)
      })
      .catch((error: unknown) => deps.log.warn('pictures of a document', { error }))
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
        // A list that is old names pictures by addresses that are over.
        if (listed?.images.some(({ state }) => state === 'failed') ?? !textOnly.test(documentName))
          requestLater(accountId, documentId)
      }
      return Object.fromEntries(known)
    },
    kick: fetching.kick,
    busy: fetching.busy,
    idle: fetching.idle,
    async shutdown() {
      closed = true
      await Promise.all([pending, fetching.shutdown()])
    },
  }
}
