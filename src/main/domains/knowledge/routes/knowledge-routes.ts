import { AppError } from '../../../errors.ts'
import type { Knowledge } from '../service/knowledge.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of knowledge bases (service-notes 7), their documents and pending uploads. */
export const knowledgeHandlers = (
  knowledge: Knowledge,
): Pick<Handlers, Extract<keyof Handlers, `knowledge.${string}`>> => {
  const { bases, documents, images, uploads, refOf, accountOf } = knowledge
  return {
    'knowledge.list': ({ accountId, ...request }) => bases.list(request, accountOf(accountId)),
    'knowledge.refresh': ({ accountId }) => bases.refresh(accountOf(accountId)),
    'knowledge.get': async ({ fresh, ...request }) => {
      const ref = refOf(request)
      const base = fresh ? await bases.fetch(ref) : bases.need(ref)
      return { base, chats: knowledge.chatsWith(ref) }
    },
    'knowledge.create': ({ accountId, ...fields }) => bases.create(fields, accountOf(accountId)),
    'knowledge.update': ({ fields, ...request }) => knowledge.update(refOf(request), fields),
    'knowledge.remove': (request) => knowledge.remove(refOf(request)),
    'knowledge.forget': (request) => {
      bases.forget(refOf(request))
      return {}
    },
    'knowledge.documents': ({ accountId, baseId, ...request }) =>
      documents.list(request, refOf({ accountId, baseId })),
    'knowledge.refreshDocuments': async ({ word, ...request }) => {
      await knowledge.fetchDocuments(refOf(request), word)
      return {}
    },
    'knowledge.document': async (request) => {
      const document = await knowledge.document(request)
      if (!document) throw new AppError('NOT_FOUND', 'Document not found')
      return document
    },
    'knowledge.removeDocuments': ({ ids, ...request }) =>
      knowledge.removeDocuments(refOf(request), ids),
    'knowledge.embed': ({ ids, ...request }) => knowledge.embed(refOf(request), ids),
    'knowledge.images': async ({ id, fresh, ...request }) => {
      const { accountId } = refOf(request)
      return fresh ? images.fetch(accountId, id) : images.saved(accountId, id)
    },
    'knowledge.upload': ({ accountId, baseId, ...request }) =>
      uploads.add(request, refOf({ accountId, baseId })),
    'knowledge.uploads': (request) => uploads.list(refOf(request)),
    'knowledge.retryUploads': ({ ids, ...request }) => uploads.retry(refOf(request), ids),
    'knowledge.dropUploads': async ({ ids, ...request }) => {
      await uploads.remove(refOf(request), ids)
      return {}
    },
    'knowledge.activity': (request) => knowledge.activity(refOf(request)),
  }
}
