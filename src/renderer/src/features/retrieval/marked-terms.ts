/** Words that stand in every passage: marking them says nothing. */
const common = new Set(
  'the and for are was were what which who whom whose how does did has have had with from into that this these those when where why can could should would will not'.split(
    ' ',
  ),
)
const han = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+/gu

/** The words of a question that are marked in what it found: spaced scripts by words of three letters and more, others by pairs of characters. */
export function markedTerms(question: string): string {
  const spaced = question
    .replaceAll(han, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(
      (word) => (word.length > 2 || /^\p{N}+$/u.test(word)) && !common.has(word.toLowerCase()),
    )
  const pairs = [...question.matchAll(han)].flatMap(([run]) => {
    const characters = Array.from(run)
    return characters.length === 1
      ? characters
      : characters.slice(1).map((one, at) => `${characters[at] ?? ''}${one}`)
  })
  return [...new Set([...spaced, ...pairs])].join(' ')
}
