import { z } from 'zod'
import { id } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** Citation positions (service-notes 11). */
export const slices = {
  'slices.positions': operation(
    { spec: '11', summary: 'Returns the positions of cited chunks.' },
    z.strictObject({
      askedId: id().describe('The request_id of the conversation or text request'),
      nodeId: id().describe('The node that retrieved'),
    }),
    (context, input) => context.api.slices.positions(context.target, input, callOptions(context)),
  ),
} as const
