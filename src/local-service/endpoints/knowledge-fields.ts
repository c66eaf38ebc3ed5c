import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { backgrounds, embeddingModels, icons } from '../../shared/provider/knowledge-terms.ts'
import { limits } from '../../shared/provider/limits.ts'
import { ServiceError } from '../errors.ts'
import { fieldIllegal, fieldMissing, jsonValue, type JsonObject } from '../json-body.ts'
import {
  booleanOf,
  choiceOf,
  integerOf,
  numberOf,
  objectOf,
  textOf,
  requiredText,
  textsOf,
} from '../json-fields.ts'
import type { BaseFields } from '../knowledge/bases.ts'
import type { RetrievalQuery } from '../knowledge/retrieve.ts'

const models = new Map(Object.entries(embeddingModels).map(([id, code]) => [Number(id), code]))

/** Returns the embedding model given by its ID, its code, or both. Throws 1214, or 1215 if they disagree. */
function embeddingIdOf(body: JsonObject): number | undefined {
  const id = integerOf(body, 'embedding_id')
  if (id !== undefined && !models.has(id)) throw fieldIllegal('embedding_id', 'be 3, 11 or 12')
  const code = choiceOf(body, 'embedding_model', Array.from(models.values()))
  if (code === undefined) return id
  const named = Array.from(models).find(([, name]) => name === code)?.[0]
  if (id !== undefined && named !== id)
    throw new ServiceError('conflict', 'embedding_model does not match embedding_id')
  return named
}

function nameOf(body: JsonObject): string | undefined {
  const name = textOf(body, 'name', { max: limits.knowledge.nameChars })
  if (name !== undefined && name.trim() === '')
    throw fieldIllegal('name', `have 1 to ${limits.knowledge.nameChars} characters`)
  return name
}

/** Returns those fields of service-notes 7 that were sent. Throws 1214 and 1215. */
function sentFields(body: JsonObject): { -readonly [K in keyof BaseFields]?: BaseFields[K] } {
  const fields = {
    name: nameOf(body),
    embeddingId: embeddingIdOf(body),
    description: textOf(body, 'description'),
    background: choiceOf(body, 'background', backgrounds),
    icon: choiceOf(body, 'icon', icons),
    contextual: integerOf(body, 'contextual', { min: 0, max: 1 }),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Reads the fields of a new knowledge base (service-notes 7). Throws 1213, 1214, 1215. */
export function newBase(body: JsonObject): BaseFields {
  const { name, embeddingId, ...others } = sentFields(body)
  if (jsonValue(body, 'embedding_id') === undefined || embeddingId === undefined)
    throw fieldMissing('embedding_id')
  if (name === undefined) throw fieldMissing('name')
  const defaults = { description: '', background: 'blue', icon: 'question', contextual: 0 }
  return { ...defaults, ...others, name, embeddingId }
}

/** Returns a knowledge base with the changes of a `PUT` request (service-notes 7). Throws 1214, 1215. */
export const changedBase = (body: JsonObject, base: BaseFields): BaseFields => {
  const { name, description, embeddingId, contextual, background, icon } = base
  const before = { name, description, embeddingId, contextual, background, icon }
  return { ...before, ...sentFields(body) }
}

/** Returns whether the client requests a callback, which the local service does not support. Throws 1214. */
export function wantsCallback(body: JsonObject): boolean {
  const url = textOf(body, 'callback_url')
  objectOf(body, 'callback_header')
  return url !== undefined && url !== ''
}

export const noCallback = engineNotices.noCallback

/** Reads a flag that clients send as a boolean or as 0 and 1. Throws 1214. */
function switchOf(body: JsonObject, name: string): boolean {
  if (typeof jsonValue(body, name) !== 'number') return booleanOf(body, name, false)
  return integerOf(body, name, { min: 0, max: 1 }) === 1
}

/** Reads the query of `POST .../knowledge/retrieve` (service-notes 7). Throws 1213, 1214. */
export function questionOf(body: JsonObject): RetrievalQuery {
  const { queryChars, topK, topN, recallRatio } = limits.retrieve
  const query = requiredText(body, 'query', { max: queryChars })
  if (query.trim() === '') throw fieldMissing('query')
  const baseIds = textsOf(body, 'knowledge_ids')
  if (!baseIds || baseIds.length === 0) throw fieldMissing('knowledge_ids')
  choiceOf(body, 'rerank_model', ['rerank', 'rerank-pro'])
  return {
    query,
    baseIds,
    documentIds: textsOf(body, 'document_ids') ?? [],
    topK: integerOf(body, 'top_k', { min: 1, max: topK }) ?? 8,
    topN: integerOf(body, 'top_n', { min: 1, max: topN }) ?? 10,
    method: choiceOf(body, 'recall_method', ['embedding', 'keyword', 'mixed']) ?? 'mixed',
    ratio: integerOf(body, 'recall_ratio', { min: 0, max: recallRatio }) ?? 80,
    rerank: switchOf(body, 'rerank_status'),
    threshold: numberOf(body, 'fractional_threshold', { min: 0, max: 1 }) ?? 0,
  }
}

/** Maximum page number of any list. */
const maxPages = 1_000_000

function whole(query: URLSearchParams, name: string, absent: number, max: number): number {
  const text = query.get(name)
  if (text === null || text === '') return absent
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw fieldIllegal(name, `be a whole number from 1 to ${max}`)
  return value
}

/** Reads `page` (from 1) and `size` (1 to 100, default 10) (service-notes 7). Throws 1214. */
export const pagingOf = (
  query: URLSearchParams,
): { readonly page: number; readonly size: number } => ({
  page: whole(query, 'page', 1, maxPages),
  size: whole(query, 'size', 10, limits.list.pageSize),
})
