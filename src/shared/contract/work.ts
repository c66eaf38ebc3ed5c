import { z } from 'zod'
import { workKinds, type Work } from '../model/work.ts'
import { route } from './contract.ts'

const id = z.string().min(1).max(64)

/** Routes of all background work. */
export const work = {
  /**
   * Returns everything that runs or waits, transcriptions that failed, and exports that failed or whose file no page received,
   * except in the Trash.
   */
  list: route<{ readonly work: readonly Work[] }>()(z.strictObject({})),
  /**
   * Moves waiting work to another account; `choiceId` is that of one of its `targets`. Waits up to 10 s for an attempt in
   * progress, and moves nothing if that completes the work. Throws REFUSED if it is not `movable` or not to that target, and if it may be done already (`mayBeDone`) unless the user confirmed; NOT_FOUND if
   * it is finished.
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
  /**
   * Removes the failed transcription of a meeting from the list until it fails again; the meeting itself stays as it is.
   * Throws NOT_FOUND for an unknown meeting.
   */
  dismiss: route<{ readonly work: readonly Work[] }>()(z.strictObject({ id })),
  /** Repeats a failed export. Throws NOT_FOUND if it did not fail. */
  retryExport: route<{ readonly work: readonly Work[] }>()(z.strictObject({ id })),
  /** Stops an export, or removes its file or failure from the list. */
  removeExport: route<{ readonly work: readonly Work[] }>()(z.strictObject({ id })),
}
