/** Estimated number of tokens of a text for a model whose tokenizer is not public. */
interface TokenEstimate {
  /** Lower bound: no tokenizer in use produces fewer. For rejecting input that is certainly over a limit. */
  readonly min: number
  /** Average estimate, rather too high than too low: for filling batches. */
  readonly likely: number
}

/**
 * Average characters per token. Published averages for text: English 4.8, Japanese 1.3, Korean 2.0, Chinese 1.1
 * (Cohere multilingual-22-12, model card, 10,000 Wikipedia paragraphs each); English about 3.3, Chinese about 1.7
 * (DeepSeek API docs, "Token usage"). The vendor publishes none for its embedding models.
 */
const latinPerToken = 4
const syllabicPerToken = 1
const otherPerToken = 2

/**
 * Maximum length of a run that counts as one token for the lower bound. Tokenizers never join two words, so every word is at
 * least one token; idioms of four characters occur as one token, and so do long technical words and repeated symbols. A single
 * symbol may form one token with the adjacent word (`.com`).
 */
const maxWordLength = 32
const maxSyllabicLength = 4
const maxSignsLength = 64

/**
 * Runs at which tokenizers split: Han, Kana and Hangul; other letters and digits; visible symbols. White space joins the next
 * run.
 */
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
      // A word is at least one token, including its leading space.
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
