/** Default BM25 parameters: saturation of term frequency, and length normalization. */
const k1 = 1.2
const b = 0.75

/**
 * Computes BM25 scores of documents for the tokens of a query, with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), which is
 * never negative. Counts `background` additional documents without any of the tokens, so that even a single candidate
 * gets a meaningful score. Also returns the score of a document of average length that contains every token once, to
 * compare queries with each other.
 */
export function bm25(
  query: readonly string[],
  documents: readonly (readonly string[])[],
  background = 0,
): { readonly scores: readonly number[]; readonly full: number } {
  const counts = documents.map(countTokens)
  const total = documents.reduce((sum, document) => sum + document.length, 0)
  const averageLength = total / Math.max(1, documents.length)
  const many = documents.length + background
  const weights = new Map(
    query.map((token) => {
      const having = counts.filter((count) => count.has(token)).length
      return [token, Math.log(1 + (many - having + 0.5) / (having + 0.5))] as const
    }),
  )
  const scores = documents.map(({ length }, i) => {
    const held = k1 * (1 - b + (b * length) / Math.max(1, averageLength))
    let score = 0
    for (const [token, idf] of weights) {
      const frequency = counts[i]?.get(token) ?? 0
      score += (idf * frequency * (k1 + 1)) / (frequency + held)
    }
    return score
  })
  return { scores, full: Array.from(weights.values()).reduce((sum, idf) => sum + idf, 0) }
}

function countTokens(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}
