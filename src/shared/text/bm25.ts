/** Default BM25 parameters: saturation of term frequency, and length normalization. */
const k1 = 1.2
const b = 0.75

/** A document as BM25 needs it: its number of tokens, and how often it contains each token of the query. */
export interface TokenCounts {
  readonly length: number
  readonly counts: ReadonlyMap<string, number>
}

/** Counts the tokens of a query in a document. */
export function countTokens(document: readonly string[], query: ReadonlySet<string>): TokenCounts {
  const counts = new Map<string, number>()
  for (const token of document)
    if (query.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return { length: document.length, counts }
}

/**
 * Computes BM25 scores of documents for the tokens of a query, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is
 * never negative. Counts `background` additional documents without any of the tokens, so that even a single candidate
 * gets a meaningful score. Also returns the score of a document of average length that contains every token once, to
 * compare queries with each other.
 */
export function bm25(
  query: readonly string[],
  documents: readonly TokenCounts[],
  background = 0,
): { readonly scores: readonly number[]; readonly full: number } {
  const total = documents.reduce((sum, { length }) => sum + length, 0)
  const averageLength = total / Math.max(1, documents.length)
  const many = documents.length + background
  const weights = new Map(
    query.map((token) => {
      const having = documents.filter(({ counts }) => counts.has(token)).length
      return [token, Math.log(1 + (many - having + 0.5) / (having + 0.5))] as const
    }),
  )
  const scores = documents.map(({ length, counts }) => {
    const held = k1 * (1 - b + (b * length) / Math.max(1, averageLength))
    let score = 0
    for (const [token, idf] of weights) {
      const frequency = counts.get(token) ?? 0
      score += (idf * frequency * (k1 + 1)) / (frequency + held)
    }
    return score
  })
  return { scores, full: Array.from(weights.values()).reduce((sum, idf) => sum + idf, 0) }
}
