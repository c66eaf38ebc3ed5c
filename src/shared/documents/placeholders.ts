/** Four numbers of a box in the units of the response. */
export type RawBox = readonly [number, number, number, number]

/**
 * Image that a text refers to only by its position (service-notes 12), in Markdown or in the HTML of a table.
 */
interface Placeholder {
  /** Page index from 0, as written. */
  readonly index: number
  /** In the units of the response; null if it does not have four numbers. */
  readonly box: RawBox | null
}

/**
 * Matches the prefix, the page number, and the numbers of the box. All lengths are limited, because the text is
 * untrusted.
 */
const pattern =
  /(\]\([ \t]{0,9}|\bsrc[ \t]{0,9}=[ \t]{0,9}["'])page[ \t]{0,9}=[ \t]{0,9}(\d{1,7})[ \t]{0,9},[ \t]{0,9}bbox[ \t]{0,9}=[ \t]{0,9}\[([^[\]\n]{0,200})\]/gu

/** Returns the placeholders of a text in order, at most the first `most`. */
export function placeholdersIn(text: string, max = Infinity): readonly Placeholder[] {
  const found: Placeholder[] = []
  if (!mayHold(text)) return found
  for (const [, , index = '', box = ''] of text.matchAll(pattern)) {
    if (found.length >= max) break
    found.push({ index: Number(index), box: boxOf(box) })
  }
  return found
}

/** Rewrites the page of each placeholder to the result of `renumber` (both from 0). */
export function renumberPlaceholders(text: string, renumber: (index: number) => number): string {
  if (!mayHold(text)) return text
  return text.replace(pattern, (_, before: string, index: string, box: string) => {
    const numbers = boxOf(box)
    return `${before}${placeOf(renumber(Number(index)), numbers ? numbers.join(', ') : box)}`
  })
}

/**
 * Returns the Markdown placeholder of an image on a document page (from 1), with its box as in the response.
 */
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
