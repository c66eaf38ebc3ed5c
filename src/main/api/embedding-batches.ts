import type { MeasuredText } from './embedding-limits.ts'
import type { EmbeddingModel } from './embeddings.ts'
import type { Limits } from '../../shared/service/limits.ts'

/** Consecutive texts that go out in one call. */
export interface Batch {
  /** Place of the first among all texts. */
  readonly start: number
  readonly texts: readonly string[]
}

/**
 * How full a batch is packed by the likely tokens: the real count is the service's, and a batch over its limit fails whole.
 */
const fill = 0.8

/**
 * Cuts texts into the fewest batches the limits allow (service-notes 16), order kept. Both models take at most `items` texts: beyond
 * that a reply takes longer to parse than the window may stand still. embedding-2 is bound by its tokens in all as well.
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
