import { z } from 'zod'
import { id, text } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

/** The slides agent (service-notes 10). */
export const slides = {
  'slides.conversation': operation(
    { spec: '10', summary: 'Returns a slides agent conversation.' },
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
        .describe('Page sizes in centimeters')
        .exactOptional(),
    }),
    callOf((api) => api.slides.conversation),
  ),
  'slides.talk': operation(
    {
      spec: '10',
      summary: 'Creates slides with the slides agent.',
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
