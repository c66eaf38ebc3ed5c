import { engineNames } from '../../shared/provider/engine-names.ts'
import type { TextOutcome, TextRequest, EmbeddingMethod, Rank } from './text-messages.ts'
import { createEngineWorker, type EngineDeps } from './worker-client.ts'
import { EngineFailure, type EngineWorkerData } from './worker-messages.ts'

/** Engine for embeddings and reranking of texts, in its own worker. */
export interface TextEngine {
  /** Engine name in responses, for people. */
  readonly name: string
  /**
   * Computes unit vectors of `dimensions` numbers, in the order of the texts. English uses the sentence encoder with a
   * projection (fixed seed, angles preserved); other languages use hashed n-grams. The two methods share no vector space:
   * `methods` specifies the method of each vector. Throws {@link TextFailure}.
   */
  embed(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<{
    readonly vectors: readonly Float32Array[]
    readonly methods: readonly EmbeddingMethod[]
  }>
  /**
   * Rates how well each document answers the query, 0 to 1, by semantics and keywords (BM25) combined; `raw` is the
   * unbounded sum. Throws {@link TextFailure}.
   */
  rank(query: string, documents: readonly string[], signal: AbortSignal): Promise<readonly Rank[]>
  stop(): Promise<void>
}

export class TextFailure extends EngineFailure {}

/**
 * Maximum texts and UTF-16 units per worker job, about one second of work: other callers get their turn in between.
 */
const batchTexts = 32
const batchUnits = 8000

/**
 * Groups consecutive texts into batches within the maximum number of texts and units; a longer text is a batch of its
 * own.
 */
function* batches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let units = 0
  for (const text of texts) {
    if (batch.length === batchTexts || (batch.length > 0 && units + text.length > batchUnits)) {
      yield batch
      batch = []
      units = 0
    }
    batch.push(text)
    units += text.length
  }
  if (batch.length > 0) yield batch
}

/** Creates the engine; the worker starts with the first call and restarts after a crash. */
export function createTextEngine(deps: EngineDeps): TextEngine {
  const data: EngineWorkerData = { modelsDir: deps.modelsDir }
  const worker = createEngineWorker<TextRequest, null, TextOutcome>({
    ...deps,
    data,
    jobs: 'texts',
    fail: (trouble, reason) => new TextFailure(trouble, reason),
  })

  const ask = async <T extends TextOutcome['type']>(
    request: Extract<TextRequest, { type: T }>,
    signal: AbortSignal,
  ): Promise<Extract<TextOutcome, { type: T }>> =>
    (await worker.run(request, { signal })) as Extract<TextOutcome, { type: T }>

  return {
    name: engineNames.text,
    async embed(texts, dimensions, signal) {
      const vectors: Float32Array[] = []
      const methods: EmbeddingMethod[] = []
      for (const batch of batches(texts)) {
        const done = await ask({ type: 'embed', texts: batch, dimensions }, signal)
        vectors.push(...done.vectors)
        methods.push(...done.methods)
      }
      return { vectors, methods }
    },
    async rank(query, documents, signal) {
      if (documents.length === 0) return []
      return (await ask({ type: 'rank', query, documents }, signal)).ranks
    },
    stop: () => worker.stop(),
  }
}
