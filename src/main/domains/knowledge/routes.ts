import type { Embeddings } from './service/embeddings/embeddings.ts'
import type { Handlers } from '../../platform/bridge/router.ts'
import { AppError } from '../../errors.ts'
import type { Knowledge } from './service/knowledge.ts'
import type { ItemKind } from '../../../shared/model/library.ts'
import type { Candidate } from '../../../shared/model/rerank.ts'
import type { Rerank } from './service/rerank/rerank-types.ts'
import type { Retrieval } from './service/retrieval/retrieval.ts'
import type { Clock } from '../../deps.ts'
import type { Slices } from './service/slices/chunk-retrieval.ts'

/** Handlers of embeddings (service-notes 15). */
export const embeddingHandlers = (
  embeddings: Embeddings,
): Pick<
  Handlers,
  | 'embeddings.plan'
  | 'embeddings.start'
  | 'embeddings.resume'
  | 'embeddings.cancel'
  | 'embeddings.get'
  | 'embeddings.list'
  | 'embeddings.rename'
  | 'embeddings.remove'
  | 'embeddings.restore'
  | 'embeddings.query'
  | 'embeddings.items'
  | 'embeddings.export'
> => ({
  'embeddings.plan': (order) => embeddings.plan(order),
  'embeddings.start': (order) => embeddings.start(order),
  'embeddings.resume': ({ id }) => embeddings.resumeRun(id),
  'embeddings.cancel': ({ id }) => embeddings.cancel(id),
  'embeddings.get': ({ id }) => embeddings.get(id),
  'embeddings.list': (query) => embeddings.list(query),
  'embeddings.rename': ({ id, title }) => embeddings.rename(id, title),
  'embeddings.remove': async ({ ids }) => {
    await embeddings.remove(ids)
    return {}
  },
  'embeddings.restore': ({ ids }) => {
    embeddings.restore(ids)
    return {}
  },
  'embeddings.query': ({ id, set, text }) => embeddings.query(id, set, text),
  'embeddings.items': ({ ids, tokens }) => embeddings.items(ids, tokens),
  'embeddings.export': ({ id, set, format }) => embeddings.export(id, set, format),
})

/** Handlers of knowledge bases (service-notes 7), their documents and pending uploads. */
export const knowledgeHandlers = (
  knowledge: Knowledge,
): Pick<Handlers, Extract<keyof Handlers, `knowledge.${string}`>> => {
  const { bases, documents, images, uploads, refOf, accountOf } = knowledge
  /** Throws NOT_FOUND for an unknown account. */
  const checked = <T extends { readonly accountId?: string | undefined }>(request: T): T => {
    if (request.accountId !== undefined) accountOf(request.accountId)
    return request
  }
  return {
    'knowledge.list': (request) => bases.list(checked(request)),
    'knowledge.refresh': (request) => bases.refresh(checked(request)),
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

/** Handlers of reranking (service-notes 5). */
export const rerankHandlers = (
  rerank: Rerank,
): Pick<
  Handlers,
  | 'rerank.start'
  | 'rerank.resume'
  | 'rerank.cancel'
  | 'rerank.get'
  | 'rerank.list'
  | 'rerank.rename'
  | 'rerank.remove'
  | 'rerank.restore'
  | 'rerank.raw'
  | 'rerank.find'
  | 'rerank.export'
> => ({
  'rerank.start': ({ candidates, ...request }) =>
    rerank.start({
      ...request,
      candidates: candidates.map(({ text, source }): Candidate => ({
        text,
        // The type determines where a source opens; the page knows the valid types.
        source: source && { ...source, kind: source.kind as ItemKind },
      })),
    }),
  'rerank.resume': ({ id }) => rerank.resumeRanking(id),
  'rerank.cancel': ({ id }) => rerank.cancel(id),
  'rerank.get': ({ id }) => rerank.get(id),
  'rerank.list': (query) => rerank.list(query),
  'rerank.rename': ({ id, title }) => rerank.rename(id, title),
  'rerank.remove': async ({ ids }) => {
    await rerank.remove(ids)
    return {}
  },
  'rerank.restore': ({ ids }) => {
    rerank.restore(ids)
    return {}
  },
  'rerank.raw': ({ id, round }) => ({ reply: rerank.raw(id, round) }),
  'rerank.find': ({ query, limit }) => rerank.find(query, limit),
  'rerank.export': ({ id, format, language }) => rerank.export(id, format, language),
})

/** Handlers of knowledge base queries, test sets of them, and run comparisons. */
export const retrievalHandlers = (
  retrieval: Retrieval,
  clock: Clock,
): Pick<Handlers, Extract<keyof Handlers, `retrieval.${string}`>> => ({
  'retrieval.sets': () => ({ sets: retrieval.store.testSets.list() }),
  'retrieval.set': ({ id }) => retrieval.sets.set(id),
  'retrieval.createSet': (request) => retrieval.sets.create(request),
  'retrieval.configure': (request) => retrieval.sets.configure(request),
  'retrieval.addQuestions': (request) => retrieval.sets.add(request),
  'retrieval.editQuestion': (request) => retrieval.sets.edit(request),
  'retrieval.dropQuestions': ({ ids }) => {
    retrieval.sets.drop(ids, clock())
    return {}
  },
  'retrieval.restoreQuestions': ({ ids }) => {
    retrieval.sets.drop(ids, null)
    return {}
  },
  'retrieval.judgements': ({ questionId }) => ({
    judgements: retrieval.store.testSets.judgements(questionId),
  }),
  'retrieval.rate': (request) => retrieval.sets.rate(request),
  'retrieval.saveQuestion': (request) => retrieval.sets.saveQuestion(request),
  'retrieval.ask': (request) => retrieval.ask(request),
  'retrieval.start': (request) => retrieval.start(request),
  'retrieval.runs': (request) => retrieval.store.retrievalRuns.list(request),
  'retrieval.run': ({ id }) => retrieval.run(id),
  'retrieval.row': ({ runId, at }) => retrieval.row(runId, at),
  'retrieval.raw': ({ runId, at }) => ({ reply: retrieval.store.retrievalRuns.raw(runId, at) }),
  'retrieval.images': ({ runId, at }) => retrieval.images(runId, at),
  'retrieval.stop': ({ id }) => retrieval.stop(id),
  'retrieval.retry': ({ id }) => retrieval.retry(id),
  'retrieval.rename': ({ id, title }) => retrieval.rename(id, title),
  'retrieval.removeRuns': async ({ ids }) => {
    await retrieval.removeRuns(ids)
    return {}
  },
  'retrieval.restoreRuns': ({ ids }) => {
    retrieval.restoreRuns(ids)
    return {}
  },
  'retrieval.compare': (request) => retrieval.compare(request),
  'retrieval.export': (request) => retrieval.export(request),
  'retrieval.importRun': (request) => retrieval.sets.importRun(request),
})

/** Handlers that find citation positions by two IDs of the provider (service-notes 11). */
export const sliceHandlers = (
  slices: Slices,
  clock: Clock,
): Pick<Handlers, Extract<keyof Handlers, `slices.${string}`>> => ({
  'slices.request': (request) => slices.requestPositions(request),
  'slices.ofMessage': (request) => slices.ofMessage(request),
  'slices.list': (request) => slices.list(request),
  'slices.get': ({ id }) => slices.get(id),
  'slices.raw': ({ id }) => ({ reply: slices.raw(id) }),
  'slices.images': ({ id }) => slices.retryImages(id),
  'slices.remove': ({ ids }) => {
    slices.remove(ids, clock())
    return {}
  },
  'slices.restore': ({ ids }) => {
    slices.remove(ids, null)
    return {}
  },
})
