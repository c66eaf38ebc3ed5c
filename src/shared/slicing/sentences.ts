/** The end of a sentence, or of lines: a full stop before white space, a Chinese one anywhere. Each run of signs is looked at once, from its first. */
const ending = /(?<![.!?])[.!?]+["'”’)\]]*(?=\s)|(?<![。！？；])[。！？；]+[”’」』）]*|(?<!\n)\n+/gu

/** The sentences of a text with everything between them: joined they are the text again. */
export function sentencesOf(text: string): readonly string[] {
  const found: string[] = []
  let at = 0
  const cut = (end: number): void => {
    if (end > at) found.push(text.slice(at, end))
    at = end
  }
  for (const { 0: signs, index } of text.matchAll(ending)) {
    // Line ends belong to no sentence.
    if (signs.startsWith('\n')) cut(index)
    cut(index + signs.length)
  }
  cut(text.length)
  return found
}

/** Cuts a text that has no end of a sentence in reach, never inside a character. */
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

/** Cuts a text at the ends of sentences into pieces of at most `most` characters, as long as they can be. Joined they are the text. */
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
