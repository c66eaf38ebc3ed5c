import type { Passage, Slice, SlicingRules } from '../types.ts'
import { unitedPlaces } from './join.ts'
import { piecesOf } from './sentences.ts'

const between = '\n\n'

interface Piece {
  readonly text: string
  readonly start: number
}

function* cutAt(text: string, separators: readonly string[]): Generator<Piece> {
  let start = 0
  while (start <= text.length) {
    const next = separators
      .map((separator) => [text.indexOf(separator, start), separator.length] as const)
      .filter(([at]) => at >= 0)
      // At one place the longest separator is meant.
      .toSorted((a, b) => a[0] - b[0] || b[1] - a[1])[0]
    const end = next?.[0] ?? text.length
    yield { text: text.slice(start, end), start }
    if (!next) return
    start = end + next[1]
  }
}

function* shortPieces({ text, start }: Piece, most: number): Generator<Piece> {
  let at = start
  for (const piece of piecesOf(text, most)) {
    yield { text: piece, start: at }
    at += piece.length
  }
}

/** The user's own separators; what is still longer than the sentence size is cut at the ends of sentences. */
export function bySeparators(
  passages: readonly Passage[],
  { separators, sentenceSize }: SlicingRules,
): readonly Slice[] {
  let whole = ''
  const starts = passages.map(({ text }, i) => {
    if (i > 0) whole += between
    whole += text
    return whole.length - text.length
  })
  const used = separators.filter((separator) => separator !== '')
  const cuts = Array.from(cutAt(whole, used.length > 0 ? used : ['\n']))
  const pieces = cuts.flatMap((cut) => Array.from(shortPieces(cut, sentenceSize)))
  let first = 0
  return pieces.flatMap(({ text, start }) => {
    const words = text.trim()
    if (words === '') return []
    const from = start + text.indexOf(words)
    const to = from + words.length
    // Pieces come in order, so the passages before this one are done with.
    while ((starts[first + 1] ?? Infinity) <= from) first += 1
    let last = first
    while ((starts[last + 1] ?? Infinity) < to) last += 1
    const covered = passages.slice(first, last + 1)
    const [head] = covered
    const line = head?.line ?? null
    const skipped = whole.slice(starts[first] ?? 0, from).split('\n').length - 1
    return {
      text: words,
      headings: [],
      places: unitedPlaces(covered.flatMap(({ places }) => places)),
      line: line === null ? null : line + skipped,
      sheet: head?.sheet ?? null,
    }
  })
}
