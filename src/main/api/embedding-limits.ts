import { estimateTokens } from '../../shared/text/token-estimate.ts'
import type { EmbeddingModel, EmbeddingRequest } from './embeddings.ts'
import { illegal, over, requireSome, under } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/** Dimensions a model gives (service-notes 15); the first is its default. */
export const dimensionsOf: Readonly<Record<EmbeddingModel, readonly [number, ...number[]]>> = {
  'embedding-3': [2048, 1024, 512, 256],
  'embedding-2': [1024],
}

/** A text with what it may come to. */
export interface MeasuredText {
  readonly text: string
  /** Tokens on average. */
  readonly likely: number
}

/**
 * Refuses what breaks a rule of one text or of the model (service-notes 15 and 16): dimensions the model does not give, an empty
 * text, a text that is certainly over the tokens of an item. Params name `item`, from 0, beside the thing, limit and value.
 */
export function checkTexts(request: EmbeddingRequest, target: ServiceTarget): MeasuredText[] {
  const { model, input, dimensions } = request
  if (dimensions !== undefined && !dimensionsOf[model].includes(dimensions))
    throw illegal('dimensions', dimensions)
  const { tokens2, tokens3 } = target.limits.embeddings
  const limit = model === 'embedding-2' ? tokens2 : tokens3
  return input.map((text, item) => {
    if (text.trim() === '') throw under('text', 1, 0, { item })
    const { min, likely } = estimateTokens(text)
    if (min > limit) throw over('LIMIT_EXCEEDED', 'tokens', limit, min, { item })
    return { text, likely }
  })
}

/** Refuses what breaks a rule of one call (service-notes 16): items for embedding-3, tokens in all for embedding-2. */
export function checkCall(request: EmbeddingRequest, target: ServiceTarget): void {
  const { model, input } = request
  requireSome('input', input)
  const { items, totalTokens2 } = target.limits.embeddings
  if (model === 'embedding-3') {
    if (input.length > items) throw over('LIMIT_EXCEEDED', 'input', items, input.length)
    return
  }
  const minTotal = input.reduce((sum, text) => sum + estimateTokens(text).min, 0)
  if (minTotal > totalTokens2) throw over('LIMIT_EXCEEDED', 'total_tokens', totalTokens2, minTotal)
}
