import type { MeasuredText } from './embedding-limits.ts'
import type { EmbeddingModel } from './embedding-limits.ts'
import type { Limits } from '../../shared/provider/limits.ts'

/** Consecutive texts that are sent in one request. */
export interface Batch {
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
