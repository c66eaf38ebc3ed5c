import { z } from 'zod'

const count = z.number().int().min(1).max(10_000).nullable()

/** Who answers a chat, with the settings. */
export const chatSettings = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    knowledgeIds: z.array(z.string().min(1).max(256)).max(100).readonly(),
    topK: count,
    topN: count,
    rerank: z.boolean(),
    similarityThreshold: z.number().min(-1).max(1).nullable(),
    model: z.string().min(1).max(128).nullable(),
    temperature: z.number().min(0).max(2).nullable(),
    maxSteps: count,
    thinking: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('assistant'),
    assistantId: z.string().min(1).max(128),
    model: z.string().min(1).max(128).nullable(),
    doSample: z.boolean().nullable(),
    translate: z
      .strictObject({ from: z.string().min(1).max(64), to: z.string().min(1).max(64) })
      .nullable(),
  }),
])
