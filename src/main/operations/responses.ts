import { z } from 'zod'
import { id, json, onlyId, text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** The Response API (service-notes 13). */
export const responses = {
  'responses.create': operation(
    { spec: '13', summary: 'Creates and stores a response.', creates: true },
    z.strictObject({
      model: id(),
      input: z.union([text(), z.array(json()).min(1)]).describe('A text, or a list of input items'),
      instructions: text().exactOptional(),
      previousResponseId: id().exactOptional(),
      store: z
        .boolean()
        .describe('Whether it can be read back later; true when absent')
        .exactOptional(),
      extra: json().describe('Further fields of the body, sent as they are').exactOptional(),
    }),
    (context, input) => context.api.responses.create(context.target, input, callOptions(context)),
  ),
  'responses.retrieve': operation(
    { spec: '13', summary: 'Returns a stored response.' },
    onlyId('The Response'),
    (context, input) => context.api.responses.retrieve(context.target, input, callOptions(context)),
  ),
  'responses.inputItems': operation(
    { spec: '13', summary: 'Lists a response’s input items.' },
    z.strictObject({
      id: id().describe('The Response'),
      order: z.enum(['asc', 'desc']).describe('Newest first when absent').exactOptional(),
      limit: z.int().min(1).exactOptional(),
      after: id().describe('The last item of the page before').exactOptional(),
    }),
    (context, input) =>
      context.api.responses.inputItems(context.target, input, callOptions(context)),
  ),
  'responses.delete': operation(
    { spec: '13', summary: 'Deletes a stored response.' },
    onlyId('The Response'),
    (context, input) => context.api.responses.delete(context.target, input, callOptions(context)),
  ),
} as const
