/**
 * Tokens of a text as usage tells them: every Han, Kana and Hangul character one, words one for each four letters begun, signs one.
 * An estimate: no tokenizer is at work here.
 */
export function countTokens(text: string): number {
  const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu
  const rest = text.replace(dense, ' ')
  let count = text.match(dense)?.length ?? 0
  for (const [word] of rest.matchAll(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]+/gu))
    count += Math.ceil(word.length / 4)
  return count
}

/** Usage of a call (service-notes 8). */
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
