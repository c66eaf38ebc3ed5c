import { countTokens } from './count-tokens.ts'

/** The beginning of a text that has at most so many tokens, whole words or characters. */
export function cutToTokens(text: string, most: number): string {
  let end = 0
  let tokens = 0
  for (const { 0: piece, index } of text.matchAll(
    /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+/gu,
  )) {
    tokens += countTokens(piece)
    if (tokens > most) return text.slice(0, end)
    end = index + piece.length
  }
  return text
}
