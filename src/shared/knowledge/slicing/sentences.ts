/**
 * The end of a sentence or of lines: a full stop before white space, a Chinese one anywhere. Each run of punctuation is
 * scanned once, from its start.
 */
const ending = /(?<![.!?])[.!?]+["'”’)\]]*(?=\s)|(?<![。！？；])[。！？；]+[”’」』）]*|(?<!\n)\n+/gu

/** Returns the sentences of a text with everything in between: joined they are the text again. */
function sentencesOf(text: string): readonly string[] {
  const found: string[] = []
  let at = 0
  const cut = (end: number): void => {
    if (end > at) found.push(text.slice(at, end))
    at = end
  }
  for (const { 0: signs, index } of text.matchAll(ending)) {
    // Line breaks belong to no sentence.
    if (signs.startsWith('\n')) cut(index)
    cut(index + signs.length)
  }
  cut(text.length)
  return found
}

/** Splits a text without a nearby sentence end, never inside a character. */
export function* hardCuts(text: string, maxChars: number): Generator<string> {
  let rest = text
  while (rest.length > maxChars) {
    const blank = rest.lastIndexOf(' ', maxChars)
    let at = blank > maxChars / 2 ? blank + 1 : maxChars
    const unit = rest.charCodeAt(at - 1)
    if (unit >= 0xd800 && unit <= 0xdbff) at -= 1
    yield rest.slice(0, at)
    rest = rest.slice(at)
  }
  if (rest) yield rest
}

/**
 * Splits a text at sentence ends into pieces of at most `most` characters, as long as possible. Joined they are the text.
 */
export function splitAtSentences(text: string, maxChars: number): readonly string[] {
  if (text.length <= maxChars) return [text]
  const chunks: string[] = []
  let chunk = ''
  for (const part of sentencesOf(text).flatMap((one) => Array.from(hardCuts(one, maxChars)))) {
    if (chunk && chunk.length + part.length > maxChars) {
      chunks.push(chunk)
      chunk = ''
    }
    chunk += part
  }
  if (chunk) chunks.push(chunk)
  return chunks
}
