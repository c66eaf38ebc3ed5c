/** A reference mark in an answer's text. Offsets are UTF-16 units. */
export interface ReferenceMark {
  readonly start: number
  readonly end: number
  /** The numbers it names, in their order; several where it holds a list. */
  readonly numbers: readonly number[]
}

/** Marks of one answer at most: what is beyond is left text. */
const maxMarks = 10_000
const maxInOne = 50
const mark =
  /<reference\s{1,4}data-ref\s{0,4}=\s{0,4}(?:"([^"<>]{0,200})"|'([^'<>]{0,200})'|([^\s"'<>/]{1,200}))\s{0,4}(?:\/\s{0,4}>|>[^<>]{0,200}<\/reference\s{0,4}>)/gi

/** The marks `<reference data-ref="N"></reference>` of a text (service-notes 6), also self-closing ones; marks without a number are none. */
export function referenceMarks(text: string): readonly ReferenceMark[] {
  const marks: ReferenceMark[] = []
  if (!text.includes('data-ref')) return marks
  for (const found of text.matchAll(mark)) {
    const numbers = numbersOf(found[1] ?? found[2] ?? found[3] ?? '')
    if (numbers.length > 0)
      marks.push({ start: found.index, end: found.index + found[0].length, numbers })
    if (marks.length === maxMarks) break
  }
  return marks
}

/** The numbers that a text's marks name, each once, in the order they come. */
export const citedNumbers = (text: string): readonly number[] => [
  ...new Set(referenceMarks(text).flatMap(({ numbers }) => numbers)),
]

/** By which numbers a text shows its sources: 1, 2, 3 in the order in which its marks first name them. */
export const shownNumbers = (text: string): ReadonlyMap<number, number> =>
  new Map(citedNumbers(text).map((number, at) => [number, at + 1]))

/** A text whose marks name the numbers they are shown by, for readers that show what the marks name. */
export function withShownMarks(text: string, shown = shownNumbers(text)): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, numbers } of referenceMarks(text)) {
    const named = numbers.map((number) => shown.get(number) ?? number).join()
    parts.push(text.slice(from, start), `<reference data-ref="${named}"></reference>`)
    from = end
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)].join('')
}

/** A text without its marks: what is read aloud or compared. */
export const withoutMarks = (text: string): string =>
  text.includes('data-ref') ? text.replaceAll(mark, '') : text

/** A text with blanks in the place of its marks: each word stays where it was. */
export const blankMarks = (text: string): string =>
  text.includes('data-ref') ? text.replaceAll(mark, (found) => ' '.repeat(found.length)) : text

function numbersOf(named: string): readonly number[] {
  const numbers = (named.match(/\d{1,6}/g) ?? []).slice(0, maxInOne).map(Number)
  return [...new Set(numbers)]
}
