import { z } from 'zod'
import { id } from './fields.ts'
import { operation, callOf } from './operation.ts'

/** Citation positions (service-notes 11). */
export const slices = {
  'slices.positions': operation(
    { spec: '11', summary: 'Returns the positions of cited chunks.' },
    z.strictObject({
      askedId: id().describe('Request ID of the answer'),
      nodeId: id().describe('Retrieval node'),
    }),
    callOf((api) => api.slices.positions),
  ),
} as const
