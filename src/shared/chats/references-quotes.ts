import { charClass, classOf, foldWithOffsets } from '../text/fold.ts'
import { type Range, merge } from '../text/locate.ts'
import { referenceMarks } from './references.ts'

/** Maximum number of characters before a citation that it may refer to, and minimum length of a quote. */
const before = 2000
const shortest = 6
/** Maximum number of ranges in one passage. */
const maxRanges = 100

/**
 * Returns the sentences of an answer before the citations with a number, which are attributed to the source. `nth`: only
 * those before one of these citations, counted from 0.
 */
export function quotesOf(
  text: string,
  number: number,
  nth: number | null = null,
): readonly string[] {
  const quotes: string[] = []
  let count = 0
  let [from, to, last] = [0, 0, 0]
  for (const { start, end, numbers } of referenceMarks(text)) {
    // Adjacent citations belong to the same words.
    if (text.slice(last, start).trim() !== '') [from, to] = [last, start]
    last = end
    if (!numbers.includes(number)) continue
    count += 1
    if (nth !== null && nth !== count - 1) continue
    const quoted =
      text
        .slice(Math.max(from, to - before), to)
        .split(/\n\s*\n/)
        .at(-1) ?? ''
    quotes.push(...quoted.split(/(?<=[.!?])\s|(?<=[。！？；])|\n/).map((one) => one.trim()))
  }
  return [...new Set(quotes.filter((one) => one !== ''))].slice(0, maxRanges)
}

/**
 * Returns the ranges of a passage that match quotes word for word, regardless of punctuation, spacing and case. Offsets
 * are UTF-16 units.
 */
export function quotedRanges(passage: string, quotes: readonly string[]): readonly Range[] {
  if (quotes.length === 0) return []
  const held = lettersOf(passage)
  const ranges: Range[] = []
  for (const quote of quotes) {
    const wanted = lettersOf(quote).text
    if (wanted.length < shortest) continue
    const at = held.text.indexOf(wanted)
    const [start, end] = [held.starts[at], held.ends[at + wanted.length - 1]]
    if (at >= 0 && start !== undefined && end !== undefined) ranges.push([start, end])
    if (ranges.length === maxRanges) break
  }
  return merge(ranges)
}

/** Returns only the letters and digits of a text, folded, with a mapping back to it. */
function lettersOf(text: string): {
  readonly text: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
} {
  const folded = foldWithOffsets(text.slice(0, 100_000))
  const starts: number[] = []
  const ends: number[] = []
  let letters = ''
  for (let at = 0; at < folded.text.length;) {
    const point = folded.text.codePointAt(at) ?? 0
    const size = point > 0xffff ? 2 : 1
    if (classOf(point) !== charClass.break)
      for (let unit = at; unit < at + size; unit++) {
        letters += folded.text[unit] ?? ''
        starts.push(folded.starts[unit] ?? 0)
        ends.push(folded.ends[unit] ?? 0)
      }
    at += size
  }
  return { text: letters, starts, ends }
}
