import { z } from 'zod'
import { limits } from '../../shared/provider/limits.ts'
import { id, images, json, messages, page, toMessages, userId } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

/** Assistants (service-notes 8). */
export const assistants = {
  'assistants.chat': operation(
    {
      spec: '8',
      summary: 'Asks an assistant.',
      streams: true,
      takes: ['images'],
    },
    z.strictObject({
      assistantId: id().describe('From assistants.list, or predefined'),
      model: z
        .enum(['gen-4-assistant', 'gen-4-alltools'])
        .describe('Default: gen-4-assistant')
        .exactOptional(),
      messages: messages(),
      images: images(),
      conversationId: id().describe('Continues a conversation').exactOptional(),
      doSample: z.boolean().exactOptional(),
      attachments: z.array(id()).describe('IDs of uploaded files').exactOptional(),
      metadata: json().exactOptional(),
      translate: z
        .strictObject({ from: z.string().max(100), to: z.string().max(100) })
        .describe('Languages: {"from":"zh","to":"en"}')
        .exactOptional(),
      userId: userId(),
      stream: z.boolean().describe('Default: true').exactOptional(),
    }),
    async (context, { images: imageReferences, ...input }) =>
      context.api.assistants.chat(
        context.target,
        { ...input, messages: await toMessages(context, input.messages, imageReferences) },
        { ...callOptions(context), onEvent: (event) => context.onEvent(event) },
      ),
  ),
  'assistants.list': operation(
    { spec: '8', summary: 'Lists assistants.' },
    z.strictObject({ ids: z.array(id()).describe('Default: all').exactOptional() }),
    callOf((api) => api.assistants.list),
  ),
  'assistants.conversations': operation(
    { spec: '8', summary: 'Lists an assistant’s conversations.' },
    z.strictObject({
      assistantId: id(),
      page: page().describe('From 1').exactOptional(),
      pageSize: page().describe(`Up to ${limits.list.pageSize}`).exactOptional(),
    }),
    callOf((api) => api.assistants.conversations),
  ),
} as const
