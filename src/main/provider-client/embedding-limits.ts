import { estimateTokens } from '../../shared/text/token-estimate.ts'
import { illegal, over, requireSome, under } from './request-limits.ts'
import type { ServiceTarget } from './types.ts'
import type { Limits } from '../../shared/provider/limits.ts'

/** Dimensions a model supports (service-notes 15); the first is its default. */
export const dimensionsOf: Readonly<Record<EmbeddingModel, readonly [number, ...number[]]>> = {
  'embedding-3': [2048, 1024, 512, 256],
  'embedding-2': [1024],
}

/** A text with its estimated tokens. */
interface MeasuredText {
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

/** Consecutive texts that are sent in one request. */
interface Batch {
  /** Index of the first text among all texts. */
  readonly start: number
  readonly texts: readonly string[]
}

/**
 * Fraction of the token limit to fill by the estimated tokens: the provider makes the real count, and a batch over its limit
 * fails as a whole.
 */
const fill = 0.8

/**
 * Splits texts into the fewest batches the limits allow (service-notes 16), keeping their order. Both models accept at most
 * `items` texts: with more, parsing the response would block the window for too long. embedding-2 is also limited by its
 * total tokens.
 */
export function batchesOf(
  texts: readonly MeasuredText[],
  model: EmbeddingModel,
  limits: Limits['embeddings'],
): readonly Batch[] {
  const maxTokens = model === 'embedding-2' ? limits.totalTokens2 * fill : Infinity
  const batches: Batch[] = []
  let batch: string[] = []
  let start = 0
  let tokens = 0
  const close = (): void => {
    if (batch.length > 0) batches.push({ start, texts: batch })
    start += batch.length
    batch = []
    tokens = 0
  }
  for (const { text, likely } of texts) {
    if (batch.length >= limits.items || tokens + likely > maxTokens) close()
    batch.push(text)
    tokens += likely
  }
  close()
  return batches
}
