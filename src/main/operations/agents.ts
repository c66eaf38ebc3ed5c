import { z } from 'zod'
import { count, id, images, messages, toMessages } from './fields.ts'
import { callOptions, operation } from './operation.ts'

const retrieval = z
  .strictObject({
    knowledgeIds: z.array(id()).min(1),
    topK: count().exactOptional(),
    topN: count().exactOptional(),
    rerank: z.boolean().exactOptional(),
    similarityThreshold: z.number().min(0).max(1).exactOptional(),
  })
  .describe('Retrieval settings: {"knowledgeIds":[…],"topK":8,"topN":10,"rerank":false}')

/** The retrieval agent (service-notes 6). */
export const agents = {
  'agents.chat': operation(
    {
      spec: '6',
      summary: 'Asks the retrieval agent.',
      streams: true,
      takes: ['images'],
    },
    z.strictObject({
      messages: messages(),
      images: images(),
      retrieval,
      model: id().describe('Default: gen-5v-turbo').exactOptional(),
      temperature: z.number().describe('Default: 0.7').exactOptional(),
      maxSteps: z.int().min(1).describe('Default: 10').exactOptional(),
      thinking: z.boolean().describe('Also returns reasoning').exactOptional(),
      sessionId: id().describe('Continues a conversation').exactOptional(),
    }),
    async (context, { images: imageReferences, ...input }) =>
      context.api.agentChat.chat(
        context.target,
        { ...input, messages: await toMessages(context, input.messages, imageReferences) },
        { ...callOptions(context), onEvent: (event) => context.onEvent(event) },
      ),
  ),
} as const
