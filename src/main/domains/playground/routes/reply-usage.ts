import type { ResponseUsage } from '../../../../shared/model/response.ts'
import { isRecord } from '../../../provider-client/json.ts'
import { readUsage } from '../../../provider-client/usage.ts'

/** Returns the token usage that a reply reports; null if it reports none. */
export function usageIn(json: unknown): ResponseUsage | null {
  const usage = isRecord(json) ? readUsage(json['usage']) : null
  return (
    usage && {
      inputTokens: usage.promptTokens,
      cachedTokens: usage.cachedTokens ?? null,
      outputTokens: usage.completionTokens,
      reasoningTokens: usage.reasoningTokens ?? null,
    }
  )
}
