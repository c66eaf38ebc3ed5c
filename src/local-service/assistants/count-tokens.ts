/**
 * Estimates the tokens of a text for usage: one for every Han, Kana and Hangul character, and one per four characters (rounded up) of a
 * word or a run of other signs. No tokenizer is used.
 */
export function countTokens(text: string): number {
  const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu
  const rest = text.replace(dense, ' ')
  let count = text.match(dense)?.length ?? 0
  for (const [word] of rest.matchAll(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]+/gu))
    count += Math.ceil(word.length / 4)
  return count
}

/** Usage of a request (service-notes 8). */
export function usageOf(
  prompt: string,
  completion: string,
): {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
} {
  const prompt_tokens = countTokens(prompt)
  const completion_tokens = countTokens(completion)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

/** The beginning of a text with at most the given number of tokens, cut at whole words or characters. */
export function cutToTokens(text: string, maxTokens: number): string {
  let end = 0
  let tokens = 0
  for (const { 0: part, index } of text.matchAll(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+/gu,
  )) {
    tokens += countTokens(part)
    if (tokens > maxTokens) return text.slice(0, end)
    end = index + part.length
  }
  return text
}
