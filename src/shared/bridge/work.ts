import { z } from 'zod'
import { workKinds, type Work } from '../model/work.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)

/** Routes of what goes on by itself, whatever it is. */
export const work = {
  /** All that runs or waits outside the bin. */
  list: route<{ readonly work: readonly Work[] }>()(z.strictObject({})),
  /**
   * Lets another account go on with what waits; `choiceId` is that of one of its `targets`. Throws REFUSED for what is not `movable` or
   * not to there, and for what may be done already (`mayBeDone`) unless the user confirmed it; NOT_FOUND for what is over.
   */
  move: route<{ readonly work: readonly Work[] }>()(
    z.strictObject({
      kind: z.enum(workKinds),
      id,
      accountId: id,
      choiceId: z.string().min(1).max(256).optional(),
      confirmed: z.boolean().default(false),
    }),
  ),
}
