import { z } from 'zod'
import { limits } from '../../shared/service/limits.ts'
import type { Answered } from '../api/answer.ts'
import type { EmbeddingResult } from '../api/embeddings.ts'
import { noUsage, type Usage } from '../api/usage.ts'
import { text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

const { items, tokens3, tokens2, totalTokens2 } = limits.embeddings

const input = z.strictObject({
  model: z.enum(['embedding-3', 'embedding-2']),
  input: z
    .array(text())
    .min(1)
    .describe(
      `Texts; a call takes at most ${items} of ${tokens3} tokens (embedding-2: ${tokens2} each, ${totalTokens2} in all)`,
    ),
  dimensions: z
    .int()
    .min(1)
    .describe('2048, 1024, 512 or 256; embedding-2 has 1024')
    .exactOptional(),
})

/** Text embeddings (spec 4.13). */
export const embeddings = {
  'embeddings.create': operation(
    { spec: '4.13', summary: 'Turns texts into vectors, in one call.' },
    input,
    async (context, request) => {
      const answer = await context.api.embeddings.create(
        context.target,
        request,
        callOptions(context),
      )
      const { model, vectors } = answer.value
      return { ...answer, value: { model, vectors: vectors.map(numbers) } }
    },
  ),
  'embeddings.createMany': operation(
    {
      spec: '4.13',
      summary: 'Turns any number of texts into vectors, in as few calls as the limits allow.',
      streams: true,
    },
    input,
    async (context, request) => {
      const batches: Answered<EmbeddingResult>[] = []
      const { vectors, notice } = await context.api.embeddings.createMany(context.target, request, {
        ...callOptions(context),
        onBatch(start, answer) {
          batches.push(answer)
          const found = answer.value.vectors.map(numbers)
          const event = { type: 'batch', start, vectors: found } as const
          context.onEvent(event)
        },
      })
      const [first] = batches
      return {
        value: { model: first?.value.model ?? request.model, vectors: vectors.map(numbers) },
        requestId: first?.requestId ?? '',
        engine: first?.engine ?? null,
        notice,
        usage: batches.map((batch) => batch.usage).reduce(sum, noUsage),
        // Several calls, one line each.
        raw: {
          status: first?.raw.status ?? 200,
          contentType: first?.raw.contentType ?? '',
          body: batches.map((batch) => batch.raw.body).join('\n'),
        },
      }
    },
  ),
} as const

/** A vector as JSON has it: nine digits are all that a 32-bit number holds. */
const numbers = (vector: Float32Array): number[] =>
  Array.from(vector, (each) => Number(each.toPrecision(9)))

function sum(a: Usage, b: Usage): Usage {
  const add = (name: keyof Usage): number | null =>
    a[name] === null && b[name] === null ? null : (a[name] ?? 0) + (b[name] ?? 0)
  return {
    promptTokens: add('promptTokens'),
    completionTokens: add('completionTokens'),
    totalTokens: add('totalTokens'),
  }
}
