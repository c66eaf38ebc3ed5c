import { engineNames } from '../../shared/service/engine-names.ts'
import type { TextOutcome, TextRequest, TextWorkerData } from './text-messages.ts'
import { createEngineWorker } from './worker-client.ts'
import type { EngineProblem } from './worker-messages.ts'

/** How a text became a vector. */
export type EmbeddingMethod = 'encoder' | 'n-grams'

/** How well a document answers a query, and how their meanings were compared. */
export interface Rank {
  /** 0 to 1: the logistic function of `raw`. */
  readonly score: number
  readonly raw: number
  readonly method: EmbeddingMethod
}

/** Meanings and ranks of texts, in their own worker. */
export interface TextEngine {
  /** What answers say about who answered, in words for people. */
  readonly name: string
  /**
   * Unit vectors of `dimensions` numbers, in the order of the texts. English goes through the sentence encoder and is projected
   * (fixed seed, angles kept); other languages are hashed n-grams. The two kinds share no space: `methods` says which is which.
   * Throws {@link TextFailure}.
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
   * How well each document answers the query, 0 to 1, by meaning and words (BM25) together; `raw` is the unbounded sum.
   * Throws {@link TextFailure}.
   */
  rank(query: string, documents: readonly string[], signal: AbortSignal): Promise<readonly Rank[]>
  stop(): Promise<void>
}

/** Work on texts that ended without a result. */
export class TextFailure extends Error {
  readonly trouble: EngineProblem

  constructor(trouble: EngineProblem, message: string) {
    super(message)
    this.name = 'TextFailure'
    this.trouble = trouble
  }
}

/** What the engine needs from outside. */
export interface TextEngineDeps {
  readonly workerUrl: URL
  readonly modelsDir: string
  /** Milliseconds without any sign of the worker after which it is taken for dead and replaced. */
  readonly stallMs: number
  /** Milliseconds without work after which the worker ends. */
  readonly idleMs: number
}

/** Texts and UTF-16 units of one job of the worker, about a second's work: between two, other callers get their turn. */
const batchTexts = 32
const batchUnits = 8000

/** Consecutive texts in batches of at most so many texts and units; a longer text is a batch of its own. */
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

/** Makes the engine; the worker starts with the first call and again after a crash. */
export function createTextEngine(deps: TextEngineDeps): TextEngine {
  const data: TextWorkerData = { modelsDir: deps.modelsDir }
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
