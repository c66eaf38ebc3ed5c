import { z } from 'zod'
import { callerIdPattern, route } from './contract.ts'
import type { StreamSnapshot } from './events.ts'

const streamId = z.string().regex(callerIdPattern)

/** Routes of running streams: re-attach, detach, cancel. */
export const streams = {
  attach: route<StreamSnapshot>()(z.strictObject({ streamId })),
  /** The view is closed; the stream continues. */
  detach: route<Record<string, never>>()(z.strictObject({ streamId })),
  /** Cancels a long call of this page by the ID its caller created. */
  cancel: route<{ readonly cancelled: boolean }>()(
    z.strictObject({ callId: z.string().regex(callerIdPattern) }),
  ),
}
