import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type {
  KnowledgeBase,
  KnowledgeEvent,
  KnowledgeUpload,
  ManyOutcome,
} from '../../../../shared/model/knowledge.ts'
import { AppError } from '../../../errors.ts'
import { createBases, type BaseFields, type BaseRef, type Bases } from './bases.ts'
import {
  createDocumentImages,
  type DocumentImages,
  type DocumentImagesDeps,
} from './chunk-images.ts'
import { createBaseDocuments, type BaseDocuments } from './documents.ts'
import { createUploads, type Uploads } from './uploads.ts'
import { createEmbeddingWatch } from './watch.ts'
import type { Context } from '../../../context.ts'
import type { Handover } from '../../documents/index.ts'

/** Knowledge bases: their mirror, operations on them, and their activity. */
export interface Knowledge {
  readonly bases: Omit<Bases, 'update' | 'remove'>
  readonly documents: Omit<BaseDocuments, 'embed' | 'fetch' | 'remove'>
  readonly images: Pick<DocumentImages, 'fetch' | 'saved' | 'of'>
  readonly uploads: Pick<Uploads, 'add' | 'list' | 'open' | 'retry' | 'remove'>
  /** Returns the specified account, or the active one. Throws NOT_FOUND. */
  accountOf(id: string | undefined): string
  /** Returns the specified knowledge base: without an account, that of the active account or of another one that has it. */
  refOf(request: { readonly accountId?: string | undefined; readonly baseId: string }): BaseRef
  /** Number of conversations that search it. */
  chatsWith(ref: BaseRef): number
  /** As {@link Bases.update}; tracks the documents that are embedded again because of it. */
  update(ref: BaseRef, fields: Partial<BaseFields>): Promise<KnowledgeBase>
  /** As {@link Bases.remove}; cancels pending uploads to it. */
  remove(ref: BaseRef): Promise<KnowledgeBase>
  /** As {@link BaseDocuments.fetch}; tracks documents in progress. */
  fetchDocuments(ref: BaseRef, word: string): Promise<void>
  document(request: ParsedOf<'knowledge.document'>): ReturnType<BaseDocuments['fetchOne']>
  /** As {@link BaseDocuments.remove}; reports what remains in the knowledge base. */
  removeDocuments(ref: BaseRef, ids: readonly string[]): Promise<ManyOutcome>
  /** As {@link BaseDocuments.embed}; tracks documents in progress. */
  embed(ref: BaseRef, ids: readonly string[] | null): Promise<ManyOutcome>
  activity(ref: BaseRef): readonly KnowledgeEvent[]
  /** Continues what an earlier run of the app left. */
  resume(): void
  /** Called when requests for an account are possible (again). */
  accountReady(accountId: string): void
  busy(): boolean
  /** Aborts uploads and requests, so that everything can be erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Dependencies of knowledge bases, their documents, images and uploads. */
interface KnowledgeDeps extends Context, Pick<DocumentImagesDeps, 'remote'> {
  /** Notified when a knowledge base accepted the text of a Library document. */
  readonly handover: Pick<Handover, 'taken'>
}

/** Maximum number of events returned for a knowledge base. */
const maxEvents = 200

export function createKnowledgeBases(deps: KnowledgeDeps): Knowledge {
  const { store, clock } = deps
  const mirror = store.knowledge
  const bases = createBases(deps)
  const documents = createBaseDocuments(deps)
  const images = createDocumentImages(deps)
  const watch = createEmbeddingWatch(deps, documents, bases)
  /** Records in the document where its text is. */
  const reportDocument = (upload: KnowledgeUpload, remoteId: string): void => {
    const media = upload.mediaId === null ? undefined : store.media.get(upload.mediaId)
    if (upload.itemId === null || !media) return
    const { accountId, baseId, itemId: documentId } = upload
    const baseName = mirror.bases.get(accountId, baseId)?.name ?? ''
    const text = { documentId, baseId, baseName, mediaId: media.id, digest: media.sha256 }
    deps.handover
      .taken({ ...text, remoteId }, accountId)
      .catch((error: unknown) =>
        deps.log.warn('failed to record the knowledge base of a document', { error }),
      )
  }
  const uploads = createUploads(deps, async (ref, documentId) => {
    const action = { what: 'added', n: 1, names: [ref.name] } as const
    if (documentId !== null) reportDocument(ref, documentId)
    mirror.log.add(ref.accountId, ref.baseId, action, clock())
    if (documentId === null) await documents.fetch(ref)
    else await documents.fetchOne(ref, documentId)
    watch.wake()
  })
  /** Saved data of a removed account stays readable, so its ID need not exist. */
  const refOf: Knowledge['refOf'] = ({ accountId, baseId }) => {
    if (accountId !== undefined) return { accountId, baseId }
    const { id } = deps.accounts.active()
    // The Library and saved answers link to knowledge bases of every account, not only the active one.
    return { accountId: mirror.bases.accountOf(baseId, id) ?? id, baseId }
  }

  return {
    bases,
    documents,
    images,
    uploads,
    refOf,
    accountOf(id) {
      const account = id === undefined ? deps.accounts.active() : store.accounts.get(id)
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      return account.id
    },
    chatsWith: ({ baseId }) => mirror.chatsWith(baseId),
    async update(ref, fields) {
      const before = bases.need(ref)
      const after = await bases.update(ref, fields)
      // Everything is embedded again: the progress can only be polled.
      if (before.embeddingId !== after.embeddingId || before.contextual !== after.contextual)
        await documents.fetch(ref).then(watch.wake, () => undefined)
      return after
    },
    async remove(ref) {
      const gone = await bases.remove(ref)
      await uploads.drop(ref)
      return gone
    },
    async fetchDocuments(ref, word) {
      await documents.fetch(ref, word)
      watch.wake()
    },
    async document({ id, fresh, ...request }) {
      const ref = refOf(request)
      return fresh
        ? documents.fetchOne(ref, id)
        : mirror.documents.get(ref.accountId, ref.baseId, id)
    },
    async removeDocuments(ref, ids) {
      const outcome = await documents.remove(ref, ids)
      if (outcome.done > 0) await bases.catchUp(ref)
      return outcome
    },
    async embed(ref, ids) {
      const outcome = await documents.embed(ref, ids)
      watch.wake()
      return outcome
    },
    activity: ({ accountId, baseId }) => mirror.log.list(accountId, baseId, maxEvents),
    resume() {
      uploads.resume()
      watch.wake()
      images.kick()
    },
    accountReady(accountId) {
      uploads.accountReady(accountId)
      watch.accountReady(accountId)
      images.wake()
    },
    busy: () => uploads.busy() || images.busy(),
    async stopAll() {
      await Promise.all([uploads.stopAll(), watch.idle(), images.stopAll()])
    },
    async shutdown() {
      await Promise.all([uploads.shutdown(), watch.shutdown(), images.shutdown()])
    },
  }
}
