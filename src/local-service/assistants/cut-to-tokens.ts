import { countTokens } from './count-tokens.ts'

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
