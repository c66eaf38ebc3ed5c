import { z } from 'zod'
import { id, json, onlyId, text } from './fields.ts'
import { operation, callOf } from './operation.ts'

/** The Response API (service-notes 13). */
export const responses = {
  'responses.create': operation(
    { spec: '13', summary: 'Creates and stores a response.', creates: true },
    z.strictObject({
      model: id(),
      input: z.union([text(), z.array(json()).min(1)]).describe('Text or list of input items'),
      instructions: text().exactOptional(),
      previousResponseId: id().exactOptional(),
      store: z.boolean().describe('Can be fetched later. Default: true').exactOptional(),
      extra: json().describe('More fields of the body, sent unchanged').exactOptional(),
    }),
    callOf((api) => api.responses.create),
  ),
  'responses.retrieve': operation(
    { spec: '13', summary: 'Returns a stored response.' },
    onlyId('The response'),
    callOf((api) => api.responses.retrieve),
  ),
  'responses.inputItems': operation(
    { spec: '13', summary: 'Lists a response’s input items.' },
    z.strictObject({
      id: id().describe('The response'),
      order: z.enum(['asc', 'desc']).describe('Default: newest first').exactOptional(),
      limit: z.int().min(1).exactOptional(),
      after: id().describe('Last item of the previous page').exactOptional(),
    }),
    callOf((api) => api.responses.inputItems),
  ),
  'responses.delete': operation(
    { spec: '13', summary: 'Deletes a stored response.' },
    onlyId('The response'),
    callOf((api) => api.responses.delete),
  ),
} as const
