import { z } from 'zod'
import { id, json, onlyId, text } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** The Response API (spec 4.1, service-notes 13). */
export const responses = {
  'responses.create': operation(
    { spec: 'notes 13', summary: 'Makes a Response and stores it.', creates: true },
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
    { spec: '4.1', summary: 'Reads a stored Response back.' },
    onlyId('The Response'),
    (context, input) => context.api.responses.retrieve(context.target, input, callOptions(context)),
  ),
  'responses.inputItems': operation(
    { spec: '4.1, notes 13', summary: 'Lists the input items of a stored Response.' },
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
    { spec: '4.1, notes 13', summary: 'Deletes a stored Response.' },
    onlyId('The Response'),
    (context, input) => context.api.responses.delete(context.target, input, callOptions(context)),
  ),
} as const
