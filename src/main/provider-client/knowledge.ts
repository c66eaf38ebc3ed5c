import type { CallParts } from './call.ts'
import { endpointsOf } from './json-call.ts'
import {
  checkFields,
  checkPage,
  checkRetrieval,
  type KnowledgeFields,
  type PageRequest,
  type RetrieveRequest,
} from './knowledge-limits.ts'
import {
  pageOf,
  readBase,
  readCapacity,
  readCreated,
  readPage,
  readSlices,
} from './knowledge-replies.ts'
import { embeddingModels } from '../../shared/provider/knowledge-terms.ts'
import { pathPart } from './request-limits.ts'
import type { ById, ServiceTarget } from './types.ts'

export { backgrounds, icons } from '../../shared/provider/knowledge-terms.ts'

const root = '/llm-application/open/knowledge'

/** Knowledge bases (service-notes 7). Success is `code` 200 in the envelope. */
export type KnowledgeApi = ReturnType<typeof createKnowledge>

export function createKnowledge(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  const { longCall } = parts
  const one = (id: string): string => `${root}/${pathPart('id', id)}`

  return {
    /** `POST /llm-application/open/knowledge` (service-notes 7). Not safe to repeat. */
    create: endpoint('knowledge.create', (request: KnowledgeFields, target) => {
      checkFields(request, target.limits)
      return {
        repeat: 'creating',
        path: root,
        timeouts: longCall,
        json: () => fieldsOf(request, target),
        read: readCreated,
      }
    }),
    /** `GET /llm-application/open/knowledge/{id}` (service-notes 7). */
    get: endpoint('knowledge.get', ({ id }: ById) => ({
      path: one(id),
      read: (json) => readBase(json, id),
    })),
    /** `GET /llm-application/open/knowledge` (service-notes 7). */
    list: endpoint('knowledge.list', (request: PageRequest, target) => {
      checkPage(request, target.limits)
      return { path: root, query: pageOf(request, target.profile.wire), read: readPage }
    }),
    /** `GET /llm-application/open/knowledge/capacity` (service-notes 7). */
    capacity: endpoint('knowledge.capacity', (_: Readonly<Record<string, never>>) => ({
      path: `${root}/capacity`,
      read: readCapacity,
    })),
    /**
     * `PUT /llm-application/open/knowledge/{id}`. Changing the model or the context embeds everything again at a cost: such a
     * request is never sent twice once it may have arrived. Safe to repeat otherwise.
     */
    update: endpoint(
      'knowledge.update',
      ({ id, ...fields }: ById & Partial<KnowledgeFields>, target) => {
        checkFields(fields, target.limits)
        const embeds = fields.embeddingId !== undefined || fields.contextual !== undefined
        return {
          repeat: embeds ? 'creating' : 'safe',
          method: 'PUT',
          path: one(id),
          timeouts: longCall,
          json: () => fieldsOf(fields, target),
          read: () => null,
        }
      },
    ),
    /** `DELETE /llm-application/open/knowledge/{id}` (service-notes 7). */
    delete: endpoint('knowledge.delete', ({ id }: ById) => ({
      method: 'DELETE',
      path: one(id),
      read: () => null,
    })),
    /** `POST /llm-application/open/knowledge/retrieve`. */
    retrieve: endpoint('knowledge.retrieve', (request: RetrieveRequest, target) => {
      checkRetrieval(request, target.limits)
      return {
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
