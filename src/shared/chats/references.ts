/** Citation in an answer's text. Offsets are UTF-16 units. */
interface ReferenceMark {
  readonly start: number
  readonly end: number
  /** Cited numbers in order; several if it contains a list. */
  readonly numbers: readonly number[]
}

/** Maximum number of citations in one answer; further ones stay text. */
const maxMarks = 10_000
const maxInOne = 50
const mark =
  /<reference\s{1,4}data-ref\s{0,4}=\s{0,4}(?:"([^"<>]{0,200})"|'([^'<>]{0,200})'|([^\s"'<>/]{1,200}))\s{0,4}(?:\/\s{0,4}>|>[^<>]{0,200}<\/reference\s{0,4}>)/gi

/**
 * Finds the marks `<reference data-ref="N"></reference>` of a text (service-notes 6), including self-closing ones; marks
 * without a number are ignored.
 */
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

/** Returns the distinct numbers cited in a text, in order. */
export const citedNumbers = (text: string): readonly number[] => [
  ...new Set(referenceMarks(text).flatMap(({ numbers }) => numbers)),
]

/** Returns the displayed number of each source: 1, 2, 3 in the order of first citation. */
export const shownNumbers = (text: string): ReadonlyMap<number, number> =>
  new Map(citedNumbers(text).map((number, at) => [number, at + 1]))

/** Returns a text whose citations use the displayed numbers, for readers that show them unchanged. */
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

/** Returns a text without citations, for reading aloud or comparing. */
export const withoutMarks = (text: string): string =>
  text.includes('data-ref') ? text.replaceAll(mark, '') : text

/** Replaces citations with blanks, so that each word keeps its offset. */
export const blankMarks = (text: string): string =>
  text.includes('data-ref') ? text.replaceAll(mark, (found) => ' '.repeat(found.length)) : text

function numbersOf(named: string): readonly number[] {
  const numbers = (named.match(/\d{1,6}/g) ?? []).slice(0, maxInOne).map(Number)
  return [...new Set(numbers)]
}
