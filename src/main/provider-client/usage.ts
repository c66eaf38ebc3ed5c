import { isRecord } from './json.ts'
import { numberIn, type JsonRecord } from './lenient.ts'

/** Tokens of one call; null if not reported. */
export interface Usage {
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly totalTokens: number | null
  /** Part of the completion tokens spent on reasoning; absent if not reported. */
  readonly reasoningTokens?: number
  /** Part of the prompt tokens read from a cache; absent if not reported. */
  readonly cachedTokens?: number
}

/** Usage without any reported tokens. */
export const noUsage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null }

/** Reads a `usage` object in either spelling: `prompt_tokens`/`completion_tokens` (service-notes 9) or `input_tokens`/`output_tokens` (service-notes 13). */
export function readUsage(value: unknown): Usage {
  if (!isRecord(value)) return noUsage
  const reasoningTokens =
    within(value, 'completion_tokens_details', 'reasoning_tokens') ??
    within(value, 'output_tokens_details', 'reasoning_tokens')
  const cachedTokens =
    within(value, 'prompt_tokens_details', 'cached_tokens') ??
    within(value, 'input_tokens_details', 'cached_tokens')
  return {
    promptTokens: count(value, 'prompt_tokens') ?? count(value, 'input_tokens'),
    completionTokens: count(value, 'completion_tokens') ?? count(value, 'output_tokens'),
    totalTokens: count(value, 'total_tokens'),
    ...(reasoningTokens !== null && { reasoningTokens }),
    ...(cachedTokens !== null && { cachedTokens }),
  }
}

function within(usage: JsonRecord, box: string, name: string): number | null {
  const details = usage[box]
  return isRecord(details) ? count(details, name) : null
}

/**
 * Maximum reported tokens of one call: a thousand times what any model accepts, and far below what sums can overflow.
 */
const maxTokens = 1e9

function count(usage: JsonRecord, name: string): number | null {
  const value = numberIn(usage, name)
  return value !== null && Number.isSafeInteger(value) && value >= 0
    ? Math.min(value, maxTokens)
    : null
}
