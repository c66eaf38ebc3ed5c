/** How a text became a vector. */
export type EmbeddingMethod = 'encoder' | 'n-grams'

/** Meanings and ranks of texts, in their own worker. */
export interface TextEngine {
  /** What answers say about who answered, in words for people. */
  readonly name: string
  /**
   * Unit vectors of `dimensions` numbers, in the order of the texts. English goes through the sentence encoder and is projected
   * (fixed seed, angles kept); other languages are hashed n-grams. The two kinds share no space: `methods` says which is which.
   */
  embed(
    texts: readonly string[],
    dimensions: number,
    signal: AbortSignal,
  ): Promise<{
    readonly vectors: readonly Float32Array[]
    readonly methods: readonly EmbeddingMethod[]
  }>
  /** How well each document answers the query, 0 to 1, by meaning and words (BM25) together; `raw` is the unbounded sum. */
  rank(
    query: string,
    documents: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly { readonly score: number; readonly raw: number }[]>
  stop(): Promise<void>
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

/** Makes the engine; the worker starts with the first call and again after a crash. */
export function createTextEngine(_deps: TextEngineDeps): TextEngine {
  const none = (): Promise<never> => Promise.reject(new Error('The text engine is not built yet'))
  return { name: 'none', embed: none, rank: none, stop: async () => {} }
}
