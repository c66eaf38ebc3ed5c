import { charClass, classOf, foldWithOffsets } from '../text/fold.ts'
import type { Range } from '../text/locate.ts'
import { merge } from '../text/locate.ts'
import { referenceMarks } from './references.ts'

/** Characters before a mark that may be what it stands for, and the shortest that is told. */
const before = 2000
const shortest = 6
/** Ranges of one passage at most. */
const maxRanges = 100

/**
 * The sentences of an answer that stand before the marks with a number: what a source is said to hold. `nth`: those before one of
 * these marks alone, counted from 0.
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
    // Marks that stand beside each other belong to the same words.
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

/** Where a passage holds quotes word for word, whatever stands between the words and how they are written. Offsets are UTF-16 units. */
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

/** Letters and digits of a text alone, folded, with the way back. */
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
