import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { count, text, userId } from './fields.ts'
import { operation, callOf } from './operation.ts'

const { queryChars, documents, documentChars } = limits.rerank

/** Reranking (service-notes 5). */
export const rerank = {
  'rerank.create': operation(
    { spec: '5', summary: 'Scores texts against a query.' },
    z.strictObject({
      query: text().describe(`Up to ${queryChars} characters`),
      documents: z
        .array(text())
        .min(1)
        .describe(`Up to ${documents} texts of ${documentChars} characters`),
      topN: count().describe('Top n only; 0 for all').exactOptional(),
      returnDocuments: z.boolean().describe('Also returns the texts').exactOptional(),
      returnRawScores: z.boolean().exactOptional(),
      userId: userId(),
    }),
    callOf((api) => api.rerank.create),
  ),
} as const
