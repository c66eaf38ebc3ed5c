import { z } from 'zod'
import { limits } from '../../shared/service/limits.ts'
import { count, text, userId } from './fields.ts'
import { callOptions, operation } from './operation.ts'

const { queryChars, documents, documentChars } = limits.rerank

/** Reranking (service-notes 5). */
export const rerank = {
  'rerank.create': operation(
    { spec: '5', summary: 'Scores texts against a query.' },
    z.strictObject({
      query: text().describe(`At most ${queryChars} characters`),
      documents: z
        .array(text())
        .min(1)
        .describe(`At most ${documents} texts of at most ${documentChars} characters`),
      topN: count().describe('Only the n best; 0 means all').exactOptional(),
      returnDocuments: z.boolean().describe('The texts come back too').exactOptional(),
      returnRawScores: z.boolean().exactOptional(),
      userId: userId(),
    }),
    (context, input) => context.api.rerank.create(context.target, input, callOptions(context)),
  ),
} as const
