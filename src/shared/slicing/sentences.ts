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
export function* hardCuts(text: string, most: number): Generator<string> {
  let rest = text
  while (rest.length > most) {
    const blank = rest.lastIndexOf(' ', most)
    let at = blank > most / 2 ? blank + 1 : most
    const unit = rest.charCodeAt(at - 1)
    if (unit >= 0xd800 && unit <= 0xdbff) at -= 1
    yield rest.slice(0, at)
    rest = rest.slice(at)
  }
  if (rest) yield rest
}

/** Cuts a text at the ends of sentences into pieces of at most `most` characters, as long as they can be. Joined they are the text. */
export function piecesOf(text: string, most: number): readonly string[] {
  if (text.length <= most) return [text]
  const pieces: string[] = []
  let piece = ''
  for (const part of sentencesOf(text).flatMap((one) => Array.from(hardCuts(one, most)))) {
    if (piece && piece.length + part.length > most) {
      pieces.push(piece)
      piece = ''
    }
    piece += part
  }
  if (piece) pieces.push(piece)
  return pieces
}
