import { z } from 'zod'
import type { VoiceList } from '../model/voice.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)

/** Routes of the voices (spec 4.2, 4.3, service-notes 3). */
export const voices = {
  /**
   * The voices of an account, all that were ever listed. `from: 'service'` asks it first, with `name` by its own fuzzy search;
   * the kept list is answered where it cannot be reached, with the reason.
   */
  list: route<VoiceList>()(
    z.strictObject({
      /** The active account when absent. */
      accountId: id.optional(),
      from: z.enum(['service', 'kept']).default('service'),
      name: z.string().trim().max(200).optional(),
    }),
  ),
}
