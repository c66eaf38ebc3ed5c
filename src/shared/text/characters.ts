/**
 * Characters of a text as people count them on a keyboard: code points, so that an emoji beyond the first plane is one and not
 * two. The API reference says "characters"; a count in UTF-16 units would refuse what a service that counts points takes.
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

/** True when a text has more characters than `most`; looks at short texts only for their length. */
export const isLonger = (text: string, maxChars: number): boolean =>
  text.length > maxChars && charactersOf(text) > maxChars
