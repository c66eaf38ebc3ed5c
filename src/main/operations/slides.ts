import { z } from 'zod'
import { id, text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** The slides agent (spec 4.6, service-notes 10). */
export const slides = {
  'slides.conversation': operation(
    { spec: '4.6', summary: 'Reads a conversation with the slides agent back.' },
    z.strictObject({
      conversationId: id(),
      includePdf: z.boolean().exactOptional(),
      pages: z
        .array(
          z.strictObject({
            position: z.number(),
            width: z.number().positive(),
            height: z.number().positive(),
          }),
        )
        .describe('Pages with their sizes in centimetres')
        .exactOptional(),
    }),
    (context, input) =>
      context.api.slides.conversation(context.target, input, callOptions(context)),
  ),
  'slides.talk': operation(
    {
      spec: 'notes 10',
      summary: 'Talks to the slides agent, which makes a presentation.',
      creates: true,
      streams: true,
    },
    z.strictObject({
      text: text(),
      conversationId: id().describe('Continues a conversation').exactOptional(),
    }),
    (context, input) =>
      context.api.slides.talk(context.target, input, {
        ...callOptions(context),
        onMessage(message) {
          const event = { type: 'message', ...message } as const
          context.onEvent(event)
        },
      }),
  ),
} as const
