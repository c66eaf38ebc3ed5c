import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { backgrounds, icons } from '../provider-client/knowledge.ts'
import { id, onlyId, page, text } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

const { queryChars, topK, topN, recallRatio } = limits.retrieve

const fields = z.strictObject({
  name: text().describe(`Up to ${limits.knowledge.nameChars} characters`),
  embeddingId: z
    .literal([3, 11, 12])
    .describe('3 is Embedding-2, 11 is Embedding-3, 12 is Embedding-3-pro'),
  description: z.string().max(100_000).exactOptional(),
  background: z.enum(backgrounds).exactOptional(),
  icon: z.enum(icons).exactOptional(),
  contextual: z
    .boolean()
    .describe('Contextual embedding; can’t be turned off later')
    .exactOptional(),
})

/** Knowledge bases (service-notes 7). */
export const knowledge = {
  'knowledge.create': operation(
    { spec: '7', summary: 'Creates a knowledge base.', creates: true },
    fields,
    callOf((api) => api.knowledge.create),
  ),
  'knowledge.get': operation(
    { spec: '7', summary: 'Returns a knowledge base.' },
    onlyId('The knowledge base'),
    callOf((api) => api.knowledge.get),
  ),
  'knowledge.list': operation(
    { spec: '7', summary: 'Lists knowledge bases.' },
    z.strictObject({
      page: page().describe('From 1').exactOptional(),
      size: page().describe(`Up to ${limits.list.pageSize}`).exactOptional(),
    }),
    callOf((api) => api.knowledge.list),
  ),
  'knowledge.capacity': operation(
    { spec: '7', summary: 'Returns used and total storage for knowledge bases.' },
    z.strictObject({}),
    (context) => context.api.knowledge.capacity(context.target, {}, callOptions(context)),
  ),
  'knowledge.update': operation(
    {
      spec: '7',
      summary: 'Updates a knowledge base; a new model embeds everything again.',
    },
    z.strictObject({
      id: id().describe('The knowledge base'),
      name: fields.shape.name.exactOptional(),
      embeddingId: fields.shape.embeddingId.exactOptional(),
      description: fields.shape.description,
      background: fields.shape.background,
      icon: fields.shape.icon,
      contextual: fields.shape.contextual,
    }),
    callOf((api) => api.knowledge.update),
  ),
  'knowledge.delete': operation(
    { spec: '7', summary: 'Deletes a knowledge base and its documents.' },
    onlyId('The knowledge base'),
    callOf((api) => api.knowledge.delete),
  ),
  'knowledge.retrieve': operation(
    { spec: '7', summary: 'Finds chunks that match a question.' },
    z.strictObject({
      query: text().describe(`Up to ${queryChars} characters`),
      knowledgeIds: z.array(id()).min(1),
      documentIds: z.array(id()).exactOptional(),
      topK: z.int().min(1).describe(`1–${topK}`).exactOptional(),
      topN: z.int().min(1).describe(`1–${topN}`).exactOptional(),
      recallMethod: z.enum(['embedding', 'keyword', 'mixed']).exactOptional(),
      recallRatio: z
        .number()
        .min(0)
        .describe(`Semantic weight (mixed only), 0–${recallRatio}`)
        .exactOptional(),
      rerank: z.boolean().exactOptional(),
      rerankModel: z.enum(['rerank', 'rerank-pro']).exactOptional(),
      fractionalThreshold: z.number().exactOptional(),
    }),
    callOf((api) => api.knowledge.retrieve),
  ),
} as const
