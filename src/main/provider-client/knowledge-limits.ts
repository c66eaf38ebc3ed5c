import type { Limits } from '../../shared/provider/limits.ts'

import { backgrounds, embeddingModels, icons } from '../../shared/provider/knowledge-terms.ts'
import { checkOneOf, checkLength, checkRange, requireSome } from './request-limits.ts'

const embeddingIds = Object.keys(embeddingModels).map(Number)
const recallMethods = ['embedding', 'keyword', 'mixed']
const rerankModels = ['rerank', 'rerank-pro']

/** Rejects knowledge base fields the provider would reject (service-notes 7); absent fields are not checked. */
export function checkFields(fields: Partial<KnowledgeFields>, limits: Limits): void {
  const { name, embeddingId, background, icon } = fields
  if (name !== undefined) checkLength('name', name, { min: 1, max: limits.knowledge.nameChars })
  if (embeddingId !== undefined) checkOneOf('embedding_id', embeddingId, embeddingIds)
  if (background !== undefined) checkOneOf('background', background, backgrounds)
  if (icon !== undefined) checkOneOf('icon', icon, icons)
}

/** A page of a list, from 1. */
export interface PageRequest {
  readonly page?: number
  readonly size?: number
}

/** Rejects a page number below 1, and page sizes larger than the provider allows. */
export function checkPage({ page, size }: PageRequest, limits: Limits): void {
  if (page !== undefined)
    checkRange('page', page, { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true })
  if (size !== undefined)
    checkRange('size', size, { min: 1, max: limits.list.pageSize, whole: true })
}

/** Rejects a query outside the bounds of service-notes 7. */
export function checkRetrieval(request: RetrieveRequest, limits: Limits): void {
  const bounds = limits.retrieve
  const { topK, topN, recallMethod, recallRatio, rerankModel, fractionalThreshold } = request
  checkLength('query', request.query, { min: 1, max: bounds.queryChars })
  requireSome('knowledge_ids', request.knowledgeIds)
  for (const id of request.knowledgeIds) requireSome('knowledge_ids', id)
  if (topK !== undefined) checkRange('top_k', topK, { min: 1, max: bounds.topK, whole: true })
  if (topN !== undefined) checkRange('top_n', topN, { min: 1, max: bounds.topN, whole: true })
  if (recallMethod !== undefined) checkOneOf('recall_method', recallMethod, recallMethods)
  if (recallRatio !== undefined)
    checkRange('recall_ratio', recallRatio, { min: 0, max: bounds.recallRatio, whole: true })
  if (rerankModel !== undefined) checkOneOf('rerank_model', rerankModel, rerankModels)
  if (fractionalThreshold !== undefined)
    checkRange('fractional_threshold', fractionalThreshold, {
      min: -Number.MAX_VALUE,
      max: Number.MAX_VALUE,
    })
}

/** Fields of a knowledge base; the embedding model's code is sent in addition to its ID. */
export interface KnowledgeFields {
  readonly name: string
  readonly embeddingId: EmbeddingId
  readonly description?: string
  readonly background?: (typeof backgrounds)[number]
  readonly icon?: (typeof icons)[number]
  /** Context enhancement; according to third parties it cannot be undone. */
  readonly contextual?: boolean
}

/** A query to knowledge bases (service-notes 7). */
export interface RetrieveRequest {
  /** At most 1000 characters. */
  readonly query: string
  readonly knowledgeIds: readonly string[]
  readonly documentIds?: readonly string[]
  /** 1 to 20. */
  readonly topK?: number
  /** 1 to 100. */
  readonly topN?: number
  readonly recallMethod?: 'embedding' | 'keyword' | 'mixed'
  /** 0 to 100: the share of vectors in `mixed`. */
  readonly recallRatio?: number
  readonly rerank?: boolean
  readonly rerankModel?: 'rerank' | 'rerank-pro'
  readonly fractionalThreshold?: number
}

type EmbeddingId = keyof typeof embeddingModels
