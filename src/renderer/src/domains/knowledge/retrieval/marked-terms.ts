/** Stop words: marking them is not informative. */
const common = new Set(
  'the and for are was were what which who whom whose how does did has have had with from into that this these those when where why can could should would will not'.split(
    ' ',
  ),
)
const han = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+/gu

/**
 * Returns the words of a question to mark in its results: words of at least 3 letters in spaced scripts, else character
 * pairs.
 */
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
