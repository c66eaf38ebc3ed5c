import { z } from 'zod'
import type { ActivityCall, UsageRow } from '../model/activity.ts'
import { route } from './contract.ts'

/** Activity routes: the requests sent to providers, newest first. */
export const activity = {
  list: route<{ readonly calls: readonly ActivityCall[]; readonly more: boolean }>()(
    z.strictObject({
      outcome: z.enum(['ok', 'failed', 'cancelled']).optional(),
      accountId: z.string().max(64).optional(),
      model: z.string().max(200).optional(),
      since: z.number().int().min(0).optional(),
      until: z.number().int().min(0).optional(),
      text: z.string().max(200).optional(),
      before: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(500).default(100),
    }),
  ),
  /** Requests and tokens by day and model, oldest first; `today` is the current local day. */
  usage: route<{ readonly today: string; readonly rows: readonly UsageRow[] }>()(
    z.strictObject({
      days: z.number().int().min(1).max(400).default(30),
      accountId: z.string().max(64).optional(),
    }),
  ),
}
