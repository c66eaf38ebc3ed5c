import { engineNotices } from '../../shared/provider/engine-notices.ts'
import type { ServiceContext, Handler, Route } from '../context.ts'
import { textProblem } from './text-errors.ts'
import { ServiceError } from '../errors.ts'
import { readJsonBody } from '../json-body.ts'
import type { StoredBase } from '../knowledge/bases.ts'
import { capacity } from '../knowledge/knowledge.ts'
import { apiSlice } from '../knowledge/api-slice.ts'
import { envelope } from './envelope.ts'
import {
  changedBase,
  newBase,
  noCallback,
  questionOf,
  wantsCallback,
  pagingOf,
} from './knowledge-fields.ts'

const oneEncoder = engineNotices.oneEncoder

/** Knowledge base as service-notes 7 specifies it; `length` is in tokens. */
const baseJson = (base: StoredBase): object => ({
  id: base.id,
  embedding_id: base.embeddingId,
  name: base.name,
  description: base.description,
  contextual: base.contextual,
  background: base.background,
  icon: base.icon,
  document_size: base.documents,
  length: base.tokens,
  word_num: base.words,
})

/** Returns the knowledge base with the ID. Throws 404. */
export function baseOf({ knowledge }: ServiceContext, id: string): StoredBase {
  const base = knowledge.bases.get(id)
  if (!base) throw new ServiceError('notFound', 'Knowledge base not found')
  return base
}

/** `POST /llm-application/open/knowledge` (service-notes 7). */
const create: Handler = async ({ incoming }, context) => {
  const { knowledge, ids, clock } = context
  const fields = newBase(await readJsonBody(incoming))
  const id = ids()
  knowledge.bases.create(fields, { id, at: clock() })
  return envelope(context, { id }, { notice: oneEncoder })
}

/** `GET /llm-application/open/knowledge` (service-notes 7), newest first. */
const list: Handler = async ({ query }, context) => {
  const { page, size } = pagingOf(query)
  const { bases } = context.knowledge
  return envelope(context, { list: bases.list(page, size).map(baseJson), total: bases.count() })
}

/** `GET /llm-application/open/knowledge/capacity` (service-notes 7). */
const usedCapacity: Handler = async (_request, context) => {
  const used = context.knowledge.bases.used()
  return envelope(context, {
    used: { word_num: used.words, length: used.bytes },
    total: { word_num: capacity.words, length: capacity.bytes },
  })
}

/** `GET /llm-application/open/knowledge/{id}` (service-notes 7). */
const detail: Handler = async ({ params }, context) =>
  envelope(context, baseJson(baseOf(context, params['id'] ?? '')))

/** `PUT /llm-application/open/knowledge/{id}` (service-notes 7). */
const update: Handler = async ({ incoming, params }, context) => {
  const body = await readJsonBody(incoming)
  const base = baseOf(context, params['id'] ?? '')
  const notice = wantsCallback(body) ? noCallback : undefined
  context.knowledge.updateBase(base.id, changedBase(body, base))
  return envelope(context, undefined, { notice })
}

/** `DELETE /llm-application/open/knowledge/{id}` (service-notes 7). */
const remove: Handler = async ({ params }, context) => {
  await context.knowledge.deleteBase(baseOf(context, params['id'] ?? '').id)
  return envelope(context, undefined)
}

/** `POST /llm-application/open/knowledge/retrieve` (service-notes 7): combines vector and keyword search. */
const find: Handler = async ({ incoming, signal }, context) => {
  const question = questionOf(await readJsonBody(incoming))
  for (const id of question.baseIds) baseOf(context, id)
  try {
    const found = await context.knowledge.retrieve(question, signal)
    const data = found.map((slice) => apiSlice(slice, context.knowledge))
    return envelope(context, data, { engine: context.text.name })
  } catch (error) {
    throw textProblem(error)
  }
}

export const knowledgeRoutes: readonly Route[] = [
  ['POST', '/llm-application/open/knowledge', create],
  ['GET', '/llm-application/open/knowledge', list],
  ['GET', '/llm-application/open/knowledge/capacity', usedCapacity],
  ['POST', '/llm-application/open/knowledge/retrieve', find],
  ['GET', '/llm-application/open/knowledge/:id', detail],
  ['PUT', '/llm-application/open/knowledge/:id', update],
  ['DELETE', '/llm-application/open/knowledge/:id', remove],
]
