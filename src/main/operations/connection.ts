import { z } from 'zod'
import { noUsage } from '../api/usage.ts'
import { callOptions, operation } from './operation.ts'

/** The cheapest look whether service and key are good. */
export const connection = {
  'connection.check': operation(
    {
      spec: '4.3, 5',
      summary: 'Makes one cheap call that needs a key, and tells how long it took.',
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
