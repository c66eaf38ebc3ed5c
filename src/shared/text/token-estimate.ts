/** How many tokens a text may be for a model whose tokenizer is not public. */
export interface TokenEstimate {
  /** No tokenizer in use makes fewer of it: for refusing what is certainly over a limit. */
  readonly min: number
  /** What it comes to on average, rather more than less: for filling batches. */
  readonly likely: number
}

/**
 * Characters of one token on average. Published averages for text: English 4.8, Japanese 1.3, Korean 2.0, Chinese 1.1
 * (Cohere multilingual-22-12, model card, 10,000 Wikipedia paragraphs each); English about 3.3, Chinese about 1.7
 * (DeepSeek API docs, "Token usage"). The vendor publishes none for its embedding models.
 */
const latinPerToken = 4
const syllabicPerToken = 1
const otherPerToken = 2

/**
 * Longest pieces taken for one token when counting the least. Tokenizers never join two words, so that every word is at
 * least one; idioms of four characters occur as one token, and so do long technical words and runs of one sign. A single
 * sign may be one with the word beside it (`.com`).
 */
const maxWordLength = 32
const maxSyllabicLength = 4
const maxSignsLength = 64

/** Runs that tokenizers split at: Han, Kana and Hangul; other letters and digits; visible signs. White space joins what follows. */
const runs =
  /(?<syllabic>[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+)|(?<word>[\p{L}\p{M}\p{N}]+)|(?<signs>[^\s\p{L}\p{M}\p{N}]+)/gu

/** Estimates the tokens of a text; both numbers are whole, and 0 for white space alone. */
export function estimateTokens(text: string): TokenEstimate {
  let min = 0
  let likely = 0
  for (const { 0: run, groups } of text.matchAll(runs)) {
    const { length } = run
    if (groups?.['syllabic'] !== undefined) {
      min += Math.ceil(length / maxSyllabicLength)
      likely += length / syllabicPerToken
    } else if (groups?.['word'] !== undefined) {
      min += Math.ceil(length / maxWordLength)
      // A word is a token at least, its leading space included.
      likely += Math.max(1, (length + 1) / (isAscii(run) ? latinPerToken : otherPerToken))
    } else {
      min += Math.ceil((length - 1) / maxSignsLength)
      likely += Math.max(1, length / otherPerToken)
    }
  }
  return { min, likely: Math.ceil(likely) }
}

function isAscii(text: string): boolean {
  return !/[\u0080-\u{10ffff}]/u.test(text)
}
