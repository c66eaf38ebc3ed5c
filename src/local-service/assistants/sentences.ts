/** A sentence longer than this is cut at a comma or space: nobody quotes a page. UTF-16 units. */
const maxLength = 400

/** Ends that look like the end of a sentence and are not: the next word belongs to it. */
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

/** A sentence with the line of the text that it is on, from 0. */
export interface LinedSentence {
  readonly text: string
  readonly line: number
}

/** The sentences of a text in English, Chinese and languages that end them alike; line ends end them as well. */
export const sentencesOf = (text: string): readonly string[] =>
  linedSentencesOf(text).map((sentence) => sentence.text)

/** The same with their lines. */
export function linedSentencesOf(text: string): readonly LinedSentence[] {
  const sentences: LinedSentence[] = []
  for (const [number, line] of text.split('\n').entries()) {
    const found: string[] = []
    let open = ''
    for (const fragment of line.split(/(?<=[.!?…]["'”’)\]]?)\s+|(?<=[。！？；]["”’」』）]?)/u)) {
      open = open === '' ? fragment : `${open} ${fragment}`
      // What is cut anyway is joined no further.
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
