import { estimateTokens } from '../../shared/text/token-estimate.ts'

import { illegal, over, requireSome, under } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'

/** Dimensions a model supports (service-notes 15); the first is its default. */
export const dimensionsOf: Readonly<Record<EmbeddingModel, readonly [number, ...number[]]>> = {
  'embedding-3': [2048, 1024, 512, 256],
  'embedding-2': [1024],
}

/** A text with its estimated tokens. */
export interface MeasuredText {
  readonly text: string
  /** Average estimate of tokens. */
  readonly likely: number
}

/**
 * Rejects violations of the limits of a text or of the model (service-notes 15 and 16): unsupported dimensions, an empty
 * text, a text that certainly exceeds the tokens of an item. The error's params name `item`, from 0, in addition to the
 * field, limit and value.
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

/**
 * Rejects violations of the limits of one request (service-notes 16): items for embedding-3, total tokens for embedding-2.
 */
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

/** The two models (service-notes 15). */
export type EmbeddingModel = 'embedding-2' | 'embedding-3'

/** Texts to convert to vectors. */
export interface EmbeddingRequest {
  readonly model: EmbeddingModel
  readonly input: readonly string[]
  /** 2048, 1024, 512 or 256 for embedding-3 (default 2048); embedding-2 is fixed at 1024. */
  readonly dimensions?: number
}
