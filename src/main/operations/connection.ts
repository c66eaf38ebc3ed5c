import { z } from 'zod'
import { noUsage } from '../provider-client/usage.ts'
import { callOptions, operation } from './operation.ts'

/** The cheapest check of provider and key. */
export const connection = {
  'connection.check': operation(
    {
      spec: '3, 1',
      summary: 'Sends a minimal request and reports latency.',
    },
    z.strictObject({}),
    async (context) => ({
      value: await context.api.connection.check(context.target, callOptions(context)),
      requestId: context.requestId ?? '',
      engine: null,
      notice: null,
      usage: noUsage,
      raw: { status: 200, contentType: '', body: '' },
    }),
  ),
} as const
