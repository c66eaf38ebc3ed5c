/** Maximum length of a quoted sentence, in UTF-16 units; longer ones are cut at a comma or space. */
const maxLength = 400

/** Abbreviations that look like the end of a sentence: the next word belongs to it. */
const abbreviation = /(?:^|[\s(])(?:[A-Z]|Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|e\.g|i\.e|Fig|approx)\.$/

function* cutLong(sentence: string): Generator<string> {
  let rest = sentence
  while (rest.length > maxLength) {
    const part = rest.slice(0, maxLength)
    const at = Math.max(part.lastIndexOf(', '), part.lastIndexOf('，'), part.lastIndexOf('; '))
    const space = part.lastIndexOf(' ')
    const end = at > maxLength / 3 ? at + 1 : space > maxLength / 3 ? space : maxLength
    yield rest.slice(0, end).trim()
    rest = rest.slice(end)
  }
  yield rest.trim()
}

/** A sentence with its line in the text, from 0. */
export interface LinedSentence {
  readonly text: string
  readonly line: number
}

/** Splits a text into sentences, in English, Chinese and languages with the same punctuation; line breaks also end them. */
export const sentencesOf = (text: string): readonly string[] =>
  linedSentencesOf(text).map((sentence) => sentence.text)

export function linedSentencesOf(text: string): readonly LinedSentence[] {
  const sentences: LinedSentence[] = []
  for (const [number, line] of text.split('\n').entries()) {
    const found: string[] = []
    let open = ''
    for (const fragment of line.split(/(?<=[.!?…]["'”’)\]]?)\s+|(?<=[。！？；]["”’」』）]?)/u)) {
      open = open === '' ? fragment : `${open} ${fragment}`
      // Text that is cut anyway is not joined further.
      if (open.length < maxLength && abbreviation.test(open)) continue
      found.push(...cutLong(open.trim()))
      open = ''
    }
    found.push(...cutLong(open.trim()))
    for (const sentence of found)
      if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ text: sentence, line: number })
  }
  return sentences
}
