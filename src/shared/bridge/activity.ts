import { z } from 'zod'
import type { ActivityCall } from '../model/activity.ts'
import { route } from './contract.ts'

/** Routes of Activity: the calls made to the service, newest first. */
export const activity = {
  list: route<{ readonly calls: readonly ActivityCall[]; readonly more: boolean }>()(
    z.strictObject({
      outcome: z.enum(['ok', 'failed', 'cancelled']).optional(),
      accountId: z.string().max(64).optional(),
      text: z.string().max(200).optional(),
      before: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
  ),
}
