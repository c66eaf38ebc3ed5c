import { z } from 'zod'
import { callerIdPattern, route } from './contract.ts'
import type { StreamSnapshot } from './events.ts'

const streamId = z.string().regex(callerIdPattern)

/** Routes of running streams: come back to one, leave it, abort it. */
export const streams = {
  attach: route<StreamSnapshot>()(z.strictObject({ streamId })),
  /** The view is gone; the stream goes on. */
  detach: route<Record<string, never>>()(z.strictObject({ streamId })),
  /** Aborts a long call of this page by the id its caller made. */
  cancel: route<{ readonly cancelled: boolean }>()(
    z.strictObject({ callId: z.string().regex(callerIdPattern) }),
  ),
}
