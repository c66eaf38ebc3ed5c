import { z } from 'zod'
import type { Job } from '../model/job.ts'
import { route } from './contract.ts'

/** Job routes: running, waiting and failed jobs. */
export const jobs = {
  /** Queued, running, waiting and failed jobs, newest first. */
  active: route<readonly Job[]>()(z.strictObject({})),
  dismiss: route<Record<string, never>>()(z.strictObject({ id: z.string().min(1).max(64) })),
}
