/** Four numbers of a box as a reply counts them. */
export type RawBox = readonly [number, number, number, number]

/** A picture that a text only names by its place (service-notes 12), in Markdown or in the HTML of a table. */
export interface Placeholder {
  /** Of the page, from 0, as it is written. */
  readonly index: number
  /** As the reply counts; null when they are not four numbers. */
  readonly box: RawBox | null
}

/** What stands before the place, the page's number, and the numbers of the box. All lengths are bounded: the text is anybody's. */
const pattern =
  /(\]\([ \t]{0,9}|\bsrc[ \t]{0,9}=[ \t]{0,9}["'])page[ \t]{0,9}=[ \t]{0,9}(\d{1,7})[ \t]{0,9},[ \t]{0,9}bbox[ \t]{0,9}=[ \t]{0,9}\[([^[\]\n]{0,200})\]/gu

/** Placeholders of a text, in order; the first `most` of them. */
export function placeholdersIn(text: string, max = Infinity): readonly Placeholder[] {
  const found: Placeholder[] = []
  if (!mayHold(text)) return found
  for (const [, , index = '', box = ''] of text.matchAll(pattern)) {
    if (found.length >= max) break
    found.push({ index: Number(index), box: boxOf(box) })
  }
  return found
}

/** The text with each placeholder written anew under the page that `renumber` gives for its own (both from 0). */
export function renumberPlaceholders(text: string, renumber: (index: number) => number): string {
  if (!mayHold(text)) return text
  return text.replace(pattern, (_, before: string, index: string, box: string) => {
    const numbers = boxOf(box)
    return `${before}${placeOf(renumber(Number(index)), numbers ? numbers.join(', ') : box)}`
  })
}

/** The Markdown placeholder of a picture on a page of the document (from 1), its box as the reply gave it. */
export const placeholder = (page: number, box: RawBox): string =>
  `![](${placeOf(page - 1, box.join(', '))})`

const placeOf = (index: number, box: string): string => `page=${index},bbox=[${box}]`

const mayHold = (text: string): boolean => text.includes('bbox')

function boxOf(text: string): RawBox | null {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)))
  const [left, top, right, bottom, ...more] = numbers
  if (more.length > 0 || !numbers.every(Number.isFinite)) return null
  if (left === undefined || top === undefined || right === undefined || bottom === undefined)
    return null
  return [left, top, right, bottom]
}
