import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import type { Answered } from '../provider-client/types.ts'
import type { EmbeddingResult, EmbeddingsApi } from '../provider-client/embeddings.ts'
import { noUsage, type Usage } from '../provider-client/usage.ts'
import { text } from './fields.ts'
import { callOptions, operation } from './operation.ts'
import { numberLists, numbersOf, openVectorFile } from './vectors.ts'

const { items, tokens3, tokens2, totalTokens2 } = limits.embeddings

const input = z.strictObject({
  model: z.enum(['embedding-3', 'embedding-2']),
  input: z
    .array(text())
    .min(1)
    .describe(
      `Up to ${items} texts of ${tokens3} tokens per request (embedding-2: ${tokens2} each, ${totalTokens2} total)`,
    ),
  dimensions: z.int().min(1).describe('2048, 1024, 512, or 256; embedding-2: 1024').exactOptional(),
})

/** Text embeddings (service-notes 15). */
export const embeddings = {
  'embeddings.create': operation(
    { spec: '15', summary: 'Embeds texts in one request.' },
    input,
    async (context, request) => {
      const answer = await context.api.embeddings.create(
        context.target,
        request,
        callOptions(context),
      )
      const { model, vectors } = answer.value
      return { ...answer, value: { model, vectors: await numberLists(vectors) } }
    },
  ),
  'embeddings.createMany': operation(
    {
      spec: '15',
      summary: 'Embeds any number of texts.',
      streams: true,
    },
    input,
    async (context, request) => {
      const file = context.vectorsInFile === true ? 'vectors.f64' : null
      const sink = file === null ? null : await openVectorFile(await context.output(file))
      let first: Answered<EmbeddingResult> | null = null
      let usage = noUsage
      const batches: { readonly start: number; readonly count: number }[] = []
      const options: Parameters<EmbeddingsApi['createMany']>[2] = {
        ...callOptions(context),
        onBatch(start, answer) {
          const { vectors } = answer.value
          const batch = { start, count: vectors.length }
          sink?.put(start, vectors)
          context.onRaw?.(answer.raw)
          const event = sink
            ? ({ type: 'batch', ...batch } as const)
            : ({ type: 'batch', start, vectors: vectors.map(numbersOf) } as const)
          context.onEvent(event)
          first ??= answer
          usage = sum(usage, answer.usage)
          batches.push(batch)
        },
      }
      try {
        const made = await context.api.embeddings.createMany(context.target, request, options)
        const { vectors, notice } = made
        const dimensions = vectors[0]?.length ?? 0
        const inFile = file === null ? {} : { file }
        const value = { model: request.model, count: vectors.length, dimensions, ...inFile }
        return answerOf(first, { value, notice, usage, batches })
      } finally {
        await sink?.close()
      }
    },
  ),
} as const

/**
 * Combines the results of several calls. Raw responses are not joined: they were reported on arrival and would be too long.
 */
function answerOf(
  first: Answered<EmbeddingResult> | null,
  totals: {
    readonly value: { readonly model: string; readonly count: number; readonly dimensions: number }
    readonly notice: string | null
    readonly usage: Usage
    readonly batches: readonly { readonly start: number; readonly count: number }[]
  },
): Answered<unknown> {
  const { value, notice, usage, batches } = totals
  return {
    value: { ...value, model: first?.value.model ?? value.model },
    requestId: first?.requestId ?? '',
    engine: first?.engine ?? null,
    notice,
    usage,
    raw: {
      status: first?.raw.status ?? 200,
      contentType: first?.raw.contentType ?? '',
      body: JSON.stringify({ batches }),
    },
  }
}

function sum(a: Usage, b: Usage): Usage {
  const add = (name: keyof Usage): number | null =>
    a[name] === null && b[name] === null ? null : (a[name] ?? 0) + (b[name] ?? 0)
  return {
    promptTokens: add('promptTokens'),
    completionTokens: add('completionTokens'),
    totalTokens: add('totalTokens'),
  }
}
