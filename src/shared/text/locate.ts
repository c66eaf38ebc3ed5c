import { charClass, classOf, foldWithOffsets, type Folded } from './fold.ts'
import type { Term } from './query.ts'

/** A range of UTF-16 units in the original text. */
export type Range = readonly [start: number, end: number]

/** Maximum number of ranges searched in one text; a snippet shows a handful. */
const maxRanges = 200

/** Returns the matches of each term in a text: one list per term, in reading order. */
export function locate(text: string, terms: readonly Term[]): readonly (readonly Range[])[] {
  const folded = foldWithOffsets(text)
  return terms.map((term) => locateTerm(folded, term))
}

/** Returns whether a folded text contains a term, by the rules of the index. */
export function holds(folded: string, term: Term): boolean {
  const first = term.parts[0]
  if (!first) return false
  for (let at = folded.indexOf(first.text); at >= 0; at = folded.indexOf(first.text, at + 1))
    if (matchAt(folded, term, at) !== null) return true
  return false
}

/** Merges overlapping and adjacent ranges, in reading order. */
export function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1)
    if (last && range[0] <= last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])]
    else merged.push(range)
  }
  return merged
}

function locateTerm(folded: Folded, term: Term): Range[] {
  const ranges: Range[] = []
  const first = term.parts[0]
  if (!first) return ranges
  let from = 0
  while (ranges.length < maxRanges) {
    const at = folded.text.indexOf(first.text, from)
    if (at < 0) return ranges
    const end = matchAt(folded.text, term, at)
    if (end !== null) ranges.push([folded.starts[at] ?? 0, folded.ends[end - 1] ?? 0])
    from = end ?? at + 1
  }
  return ranges
}

/** Returns the end of a term that starts at `at`, or null when it is not there by the rules of the index. */
function matchAt(text: string, term: Term, at: number): number | null {
  let end = at
  for (const [index, unit] of term.parts.entries()) {
    const last = index === term.parts.length - 1
    const start = index === 0 ? at : skipBreaks(text, end)
    if (!text.startsWith(unit.text, start)) return null
    const kind = unit.kind === 'word' ? charClass.word : charClass.run
    // A word matches only at the start of a word; a run may match in the middle of a longer one, but only as the first piece.
    if ((unit.kind === 'word' || index > 0) && classBefore(text, start) === kind) return null
    end = start + unit.text.length
    const mayGoOn = last && (unit.kind === 'run' || term.open)
    if (!mayGoOn && classAt(text, end) === kind) return null
  }
  return end
}

function skipBreaks(text: string, from: number): number {
  let at = from
  while (at < text.length && classAt(text, at) === charClass.break) at += 1
  return at
}

const classAt = (text: string, at: number): number =>
  at < text.length ? classOf(text.codePointAt(at) ?? 0) : charClass.break

function classBefore(text: string, at: number): number {
  if (at === 0) return charClass.break
  const unit = text.charCodeAt(at - 1)
  const lowSurrogate = unit >= 0xdc00 && unit <= 0xdfff
  return classOf(text.codePointAt(at - (lowSurrogate && at > 1 ? 2 : 1)) ?? 0)
}
