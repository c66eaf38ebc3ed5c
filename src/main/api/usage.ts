import { isRecord } from './json.ts'
import { numberIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

/** Tokens of one call; null where the reply does not say. */
export interface Usage {
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly totalTokens: number | null
}

/** Nothing was said about tokens. */
export const noUsage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null }

/** Reads a `usage` object in either spelling: `prompt_tokens`/`completion_tokens` (spec 2.6) or `input_tokens`/`output_tokens` (2.1). */
export function readUsage(value: unknown): Usage {
  if (!isRecord(value)) return noUsage
  return {
    promptTokens: count(value, 'prompt_tokens') ?? count(value, 'input_tokens'),
    completionTokens: count(value, 'completion_tokens') ?? count(value, 'output_tokens'),
    totalTokens: count(value, 'total_tokens'),
  }
}

/** Tokens one call can be told to have used: a thousand times what any model takes, and far from what sums can bear. */
const mostTokens = 1e9

function count(usage: JsonRecord, name: string): number | null {
  const value = numberIn(usage, name)
  return value !== null && Number.isSafeInteger(value) && value >= 0
    ? Math.min(value, mostTokens)
    : null
}
