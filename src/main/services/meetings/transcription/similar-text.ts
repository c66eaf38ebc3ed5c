/** Minimum share of the words that must occur in the other text, in order and close together. */
const minShare = 0.8

/** Whether at least four fifths of the words occur in the other text in the same order, with little in between. */
export function isSimilarText(words: readonly string[], text: readonly string[]): boolean {
  const window = Math.ceil(words.length * 1.3)
  for (let from = 0; from < Math.max(1, text.length - words.length + 1); from++) {
    const part = text.slice(from, from + window)
    if (commonLength(words, part) >= words.length * minShare) return true
  }
  return false
}

/** Length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const word of a) {
    const next = [0]
    for (const [at, other] of b.entries()) {
      const best = Math.max(row[at + 1] ?? 0, next[at] ?? 0)
      next.push(word === other ? (row[at] ?? 0) + 1 : best)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
