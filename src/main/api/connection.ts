import { jsonReplyLimit, readText, requireJson } from './body.ts'
import { performCall, requireSuccess } from './call.ts'
import type { Call, CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/**
 * Sends the cheapest request that needs a key and changes nothing: the voice list (service-notes 3). Sent once, for a quick
 * answer. Returns the duration in milliseconds; throws AppError.
 */
export async function checkConnection(
  parts: CallParts,
  target: ServiceTarget,
  options: CallOptions,
): Promise<{ readonly ms: number }> {
  const start = parts.deps.clock()
  const call: Call<null> = {
    operation: 'connection.check',
    model: null,
    repeat: 'safe',
    retryBounds: { attempts: 1 },
    exchange: (requestId) => ({
      method: 'GET',
      path: '/paas/v4/voice/list',
      // The only operation that sends its ID as a header (service-notes 1).
      headers: { 'request-id': requestId },
      accept: 'application/json',
      timeouts: parts.shortCall,
    }),
    async read(reply, context) {
      const json = requireJson(await readText(reply.body, jsonReplyLimit), reply, context.redact)
      requireSuccess(json, reply, context)
      return null
    },
  }
  await performCall(parts, target, call, options)
  return { ms: Math.max(0, parts.deps.clock() - start) }
}
