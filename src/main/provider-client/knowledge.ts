import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { jsonCaller } from './json-call.ts'
import { checkFields, checkPage, checkRetrieval } from './knowledge-limits.ts'
import {
  pageOf,
  readBase,
  readCapacity,
  readCreated,
  readPage,
  readSlices,
} from './knowledge-replies.ts'
import { embeddingModels } from '../../shared/provider/knowledge-terms.ts'
import { pathPart } from './path-part.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import type { KnowledgeFields, RetrieveRequest } from './knowledge-limits.ts'
import type { KnowledgeBase, Amount, RetrievedSlice } from './knowledge-replies.ts'

export { backgrounds, embeddingModels, icons } from '../../shared/provider/knowledge-terms.ts'

/** Knowledge bases (service-notes 7). Success is `code` 200 in the envelope. */
export interface KnowledgeApi {
  /** `POST /llm-application/open/knowledge` (service-notes 7). Not safe to repeat. */
  create(
    target: ServiceTarget,
    request: KnowledgeFields,
    options: CallOptions,
  ): Promise<Answered<{ readonly id: string }>>
  /** `GET /llm-application/open/knowledge/{id}` (service-notes 7). */
  get(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<KnowledgeBase>>
  /** `GET /llm-application/open/knowledge` (service-notes 7); pages from 1. */
  list(
    target: ServiceTarget,
    request: { readonly page?: number; readonly size?: number },
    options: CallOptions,
  ): Promise<Answered<{ readonly bases: readonly KnowledgeBase[]; readonly total: number }>>
  /** `GET /llm-application/open/knowledge/capacity` (service-notes 7). */
  capacity(
    target: ServiceTarget,
    request: Readonly<Record<string, never>>,
    options: CallOptions,
  ): Promise<Answered<{ readonly used: Amount; readonly total: Amount }>>
  /**
   * `PUT /llm-application/open/knowledge/{id}`. Changing the model or the context embeds everything again at a cost: such a
   * request is never sent twice once it may have arrived. Safe to repeat otherwise.
   */
  update(
    target: ServiceTarget,
    request: { readonly id: string } & Partial<KnowledgeFields>,
    options: CallOptions,
  ): Promise<Answered<null>>
  /** `DELETE /llm-application/open/knowledge/{id}` (service-notes 7). */
  delete(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<null>>
  /** `POST /llm-application/open/knowledge/retrieve`. */
  retrieve(
    target: ServiceTarget,
    request: RetrieveRequest,
    options: CallOptions,
  ): Promise<Answered<readonly RetrievedSlice[]>>
}

const root = '/llm-application/open/knowledge'

/** Creates the endpoints of this family from the shared call parts. */
export function createKnowledge(parts: CallParts): KnowledgeApi {
  const { shortCall, longCall } = parts
  const safe = { model: null, repeat: 'safe', timeouts: shortCall } as const
  const one = (id: string): string => `${root}/${pathPart('id', id)}`
  const call = jsonCaller(parts)

  return {
    create: (target, request, options) =>
      call(target, options, () => {
        checkFields(request, target.limits)
        return {
          operation: 'knowledge.create',
          model: null,
          repeat: 'creating',
          method: 'POST',
          path: root,
          timeouts: longCall,
          json: () => fieldsOf(request, target),
          read: readCreated,
        }
      }),
    get: (target, { id }, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'knowledge.get',
        method: 'GET',
        path: one(id),
        read: (json) => readBase(json, id),
      })),
    list: (target, request, options) =>
      call(target, options, () => {
        checkPage(request, target.limits)
        return {
          ...safe,
          operation: 'knowledge.list',
          method: 'GET',
          path: root,
          query: pageOf(request, target.profile.wire),
          read: readPage,
        }
      }),
    capacity: (target, _request, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'knowledge.capacity',
        method: 'GET',
        path: `${root}/capacity`,
        read: readCapacity,
      })),
    update: (target, { id, ...fields }, options) =>
      call(target, options, () => {
        checkFields(fields, target.limits)
        const embeds = fields.embeddingId !== undefined || fields.contextual !== undefined
        return {
          ...safe,
          repeat: embeds ? 'creating' : 'safe',
          operation: 'knowledge.update',
          method: 'PUT',
          path: one(id),
          timeouts: longCall,
          json: () => fieldsOf(fields, target),
          read: () => null,
        }
      }),
    delete: (target, { id }, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'knowledge.delete',
        method: 'DELETE',
        path: one(id),
        read: () => null,
      })),
    retrieve: (target, request, options) =>
      call(target, options, () => {
        checkRetrieval(request, target.limits)
        return {
          ...safe,
          operation: 'knowledge.retrieve',
          method: 'POST',
          path: `${root}/retrieve`,
          timeouts: longCall,
          json: () => questionOf(request),
          read: readSlices,
        }
      }),
  }
}

/**
 * Returns the body for creating and editing. ID and code of the model are always sent together, so that they agree
 * (service-notes 7).
 */
function fieldsOf(fields: Partial<KnowledgeFields>, target: ServiceTarget): object {
  const { wire } = target.profile
  const { embeddingId, contextual, name, description, background, icon } = fields
  return {
    ...(embeddingId !== undefined && {
      [wire.knowledgeEmbeddingId]: embeddingId,
      [wire.knowledgeEmbeddingModel]: embeddingModels[embeddingId],
    }),
    ...(name !== undefined && { name }),
    ...(contextual !== undefined && { [wire.knowledgeContextual]: contextual ? 1 : 0 }),
    ...(description !== undefined && { description }),
    ...(background !== undefined && { background }),
    ...(icon !== undefined && { icon }),
  }
}

function questionOf(request: RetrieveRequest): object {
  const { documentIds, topK, topN, recallMethod, recallRatio } = request
  const { rerank, rerankModel, fractionalThreshold } = request
  return {
    query: request.query,
    knowledge_ids: request.knowledgeIds,
    ...(documentIds !== undefined && { document_ids: documentIds }),
    ...(topK !== undefined && { top_k: topK }),
    ...(topN !== undefined && { top_n: topN }),
    ...(recallMethod !== undefined && { recall_method: recallMethod }),
    ...(recallRatio !== undefined && { recall_ratio: recallRatio }),
    ...(rerank !== undefined && { rerank_status: rerank }),
    ...(rerankModel !== undefined && { rerank_model: rerankModel }),
    ...(fractionalThreshold !== undefined && { fractional_threshold: fractionalThreshold }),
  }
}
