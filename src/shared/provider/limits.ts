const megabyte = 1024 * 1024

/**
 * Limits that are checked before sending (service-notes 16).
 * Sizes in bytes, lengths in characters (code points), time in seconds. All bounds are inclusive.
 */
export const limits = {
  requestId: { min: 6, max: 64 },
  userId: { min: 6, max: 128 },
  transcription: { bytes: 25 * megabyte, seconds: 30, hotwords: 100, promptChars: 8000 },
  voiceClone: { bytes: 10 * megabyte },
  speech: { chars: 1024, minSpeed: 0.5, maxSpeed: 2, maxVolume: 10 },
  rerank: { queryChars: 4096, documents: 128, documentChars: 4096 },
  /** Tokens are estimated: only texts that certainly exceed the limit are rejected. */
  embeddings: { items: 64, tokens3: 3072, tokens2: 512, totalTokens2: 8192 },
  layout: { imageBytes: 10 * megabyte, pdfBytes: 50 * megabyte, pages: 100 },
  knowledge: { nameChars: 100 },
  slicing: { minChars: 20, maxChars: 2000 },
  retrieve: { queryChars: 1000, topK: 20, topN: 100, recallRatio: 100 },
  list: { pageSize: 100 },
  /**
   * The API reference defines no context window for a chat: this is what any current model accepts in addition to its answer.
   */
  chat: { tokens: 100_000 },
} as const

/** A tree of numbers with the shape of {@link limits}. */
type Numbers<T> = { readonly [K in keyof T]: T[K] extends number ? number : Numbers<T[K]> }

/**
 * The shape of {@link limits} with plain numbers: a profile may change them, since hosts of the same API differ.
 */
export type Limits = Numbers<typeof limits>

/** Names of all limits, for example `rerank.documents`. */
export const limitNames: readonly string[] = Object.entries(limits).flatMap(([group, bounds]) =>
  Object.keys(bounds).map((name) => `${group}.${name}`),
)

/** Returns the limits with a profile's changes: positive numbers by name; unknown names are ignored. */
export function limitsWith(changes: Readonly<Record<string, number>>): Limits {
  const changed = ([group, bounds]: [string, Readonly<Record<string, number>>]) => [
    group,
    Object.fromEntries(
      Object.entries(bounds).map(([name, value]) => {
        const key = `${group}.${name}`
        const other = Object.hasOwn(changes, key) ? changes[key] : undefined
        return [name, other !== undefined && other > 0 ? other : value]
      }),
    ),
  ]
  return Object.fromEntries(Object.entries(limits).map(changed)) as Limits
}
