/**
 * Counts the characters of a text as users count them: code points, so that an emoji beyond the first plane is one and not
 * two. The API reference counts "characters"; UTF-16 units would reject texts that a provider counting code points accepts.
 */
export function charactersOf(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(at + 1)
    if (next < 0xdc00 || next > 0xdfff) continue
    count -= 1
    at += 1
  }
  return count
}

/** Returns whether a text has more than `most` characters; for short texts the length alone decides. */
export const isLonger = (text: string, maxChars: number): boolean =>
  text.length > maxChars && charactersOf(text) > maxChars
