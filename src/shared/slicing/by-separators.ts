import type { Passage, Slice, SlicePart, SlicingRules } from './types.ts'
import { lineEnds, pageOf, unitedPlaces } from './join.ts'
import { splitAtSentences } from './sentences.ts'

const between = '\n\n'

interface TextPart {
  readonly text: string
  readonly start: number
}

function* cutAt(text: string, separators: readonly string[]): Generator<TextPart> {
  // The next position of each separator; searched again only when it was passed, since a rare one would otherwise cost a scan
  // of the whole text at each cut.
  const places = separators.map((separator) => ({ separator, at: -1 }))
  let start = 0
  for (;;) {
    let next: { readonly separator: string; readonly at: number } | undefined
    for (const place of places) {
      if (place.at < start) {
        const found = text.indexOf(place.separator, start)
        place.at = found < 0 ? Infinity : found
      }
      // At the same position the longest separator wins.
      const sooner = place.at - (next?.at ?? Infinity)
      if (sooner < 0 || (sooner === 0 && place.separator.length > (next?.separator.length ?? 0)))
        next = place
    }
    const end = next?.at ?? text.length
    yield { text: text.slice(start, end), start }
    if (!next) return
    start = end + next.separator.length
  }
}

function* shortSegments({ text, start }: TextPart, maxChars: number): Generator<TextPart> {
  let at = start
  for (const part of splitAtSentences(text, maxChars)) {
    yield { text: part, start: at }
    at += part.length
  }
}

/** Returns a counter of line breaks up to an offset; with ascending offsets, it counts each once. */
function lineCounter(text: string): (from: number, to: number) => number {
  let begin = -1
  let at = 0
  let lines = 0
  return (from, to) => {
    if (from !== begin) {
      begin = from
      at = from
      lines = 0
    }
    for (let end = text.indexOf('\n', at); end >= 0 && end < to; end = text.indexOf('\n', at)) {
      lines += 1
      at = end + 1
    }
    return lines
  }
}

/**
 * Returns the source lines of some passages, after a number of lines of the first; `ends`: the line breaks in each.
 */
function partsOf(
  covered: readonly Passage[],
  ends: readonly number[],
  above: number,
): readonly SlicePart[] {
  let next = -above
  return covered.map((passage, i) => {
    const at = Math.max(0, next)
    const skipped = at - next
    next += (ends[i] ?? 0) + between.length
    const line = passage.line === null ? null : passage.line + skipped
    return { at, line, page: pageOf(passage) }
  })
}

/** Splits at the user's own separators; text still longer than the sentence size is split at sentence ends. */
export function* bySeparators(
  passages: readonly Passage[],
  { separators, sentenceSize }: SlicingRules,
): Generator<Slice> {
  const whole = passages.map(({ text }) => text).join(between)
  let length = -between.length
  const starts = passages.map(({ text }) => {
    const start = length + between.length
    length = start + text.length
    return start
  })
  // Counted once: a passage may be split into many chunks.
  const ends = passages.map(({ text }) => lineEnds(text))
  const used = separators.filter((separator) => separator !== '')
  const linesBetween = lineCounter(whole)
  let first = 0
  for (const cut of cutAt(whole, used.length > 0 ? used : ['\n']))
    for (const { text, start } of shortSegments(cut, sentenceSize)) {
      const words = text.trim()
      if (words === '') continue
      const from = start + text.length - text.trimStart().length
      const to = from + words.length
      // Pieces are in order, so earlier passages are done.
      while ((starts[first + 1] ?? Infinity) <= from) first += 1
      let last = first
      while ((starts[last + 1] ?? Infinity) < to) last += 1
      const covered = passages.slice(first, last + 1)
      const [head] = covered
      const line = head?.line ?? null
      const above = linesBetween(starts[first] ?? 0, from)
      yield {
        text: words,
        headings: [],
        places: unitedPlaces(covered.flatMap(({ places }) => places)),
        line: line === null ? null : line + above,
        parts: partsOf(covered, ends.slice(first, last + 1), above),
        sheet: head?.sheet ?? null,
      }
    }
}
