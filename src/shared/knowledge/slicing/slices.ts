import { joined, pageOf, packed, lineEnds, unitedPlaces } from './join.ts'
import { splitAtSentences } from './sentences.ts'
import {
  DocumentFailure,
  type Passage,
  type Slice,
  type SlicingRules,
  type SlicePart,
} from './types.ts'

const isSheet = (passages: readonly Passage[]): boolean =>
  passages.some(({ cells }) => cells !== undefined)

function* byRows(passages: readonly Passage[]): Generator<Slice> {
  if (!isSheet(passages)) throw new DocumentFailure(10001, 'Only a sheet (CSV) can be split by row')
  for (const row of passages) yield joined([row], [])
}

/** Splits by page. A text without pages is one page. */
function byPages(passages: readonly Passage[]): readonly Slice[] {
  const pages = new Map<number, Passage[]>()
  for (const passage of passages) {
    const page = pageOf(passage) ?? 1
    const known = pages.get(page)
    if (known) known.push(passage)
    else pages.set(page, [passage])
  }
  return Array.from(pages.values(), (page) => joined(page, []))
}

/** Maximum number of characters in a chunk: a vector of more is meaningless, and it is processed at once. */
const maxSliceChars = 1_000_000

/**
 * Splits a document by its chunking rules (service-notes 7), one chunk at a time. Throws {@link DocumentFailure} if they do
 * not fit it.
 */
export function* slicesOf(passages: readonly Passage[], rules: SlicingRules): Generator<Slice> {
  let none = true
  for (const slice of cut(passages, rules)) {
    if (slice.text.length > maxSliceChars)
      throw new DocumentFailure(
        10001,
        `A chunk of the document would have more than ${maxSliceChars} characters. Use other chunking settings`,
      )
    if (slice.text.trim() === '') continue
    none = false
    yield slice
  }
  if (none) throw new DocumentFailure(10001, 'The document has no text')
}

function cut(passages: readonly Passage[], rules: SlicingRules): Iterable<Slice> {
  switch (rules.type) {
    case 1:
      return byHeadings(passages)
    case 2:
      return byQuestions(passages)
    case 3:
      return byRows(passages)
    case 5:
      return bySeparators(passages, rules)
    case 6:
      return byPages(passages)
    case 7:
      return [joined(passages, [])]
    case null:
      return isSheet(passages) ? byRows(passages) : byHeadings(passages)
  }
}

const question = /^\s*(?:q|question|问题?)\s*(?:\d+\s*)?[:：.、)）]\s*/i
const answer = /^\s*(?:a|answer|答案?)\s*(?:\d+\s*)?[:：.、)）]\s*/i

/** Returns the lines of a text passage with their line numbers. */
const linesOf = (passage: Passage): readonly Passage[] =>
  passage.text
    .split('\n')
    .map((text, i) => ({
      ...passage,
      text,
      line: passage.line === null ? null : passage.line + i,
    }))
    .filter(({ text }) => text.trim() !== '')

const asks = ({ text, level }: Passage, marked: boolean): boolean =>
  marked ? question.test(text) : level !== null || /[?？]\s*$/.test(text)

/**
 * Yields pairs of a question and its answer, one chunk each: rows of two or more columns, lines that begin with `Q:` and `A:`
 * (or 问 and 答), or lines that end with a question mark (and headings) with the text after them. Throws {@link
 * DocumentFailure} if there are none.
 */
function* byQuestions(passages: readonly Passage[]): Generator<Slice> {
  const rows = passages.filter(({ cells }) => (cells?.length ?? 0) > 1)
  if (rows.length > 0) {
    for (const row of rows) {
      const text = (row.cells ?? []).map(([, value]) => value).join('\n')
      const slice = joined([row], [])
      // All its lines belong to the same row.
      const parts = text
        .split('\n')
        .flatMap((_, at) => slice.parts.map((part) => ({ ...part, at })))
      yield { ...slice, text, parts }
    }
    return
  }
  const lines = passages.flatMap((passage) =>
    passage.level === null ? linesOf(passage) : [passage],
  )
  const marked = lines.some(({ text }) => question.test(text))
  const pairs: Passage[][] = []
  for (const line of lines) {
    if (asks(line, marked)) pairs.push([line])
    else pairs.at(-1)?.push(line)
  }
  const whole = pairs.filter(({ length }) => length > 1)
  if (whole.length === 0)
    throw new DocumentFailure(10001, 'No questions with answers were found in the document')
  for (const pair of whole)
    yield joined(
      pair.map((line) => ({ ...line, text: line.text.replace(question, '').replace(answer, '') })),
      [],
    )
}

/**
 * Maximum number of characters in a chunk by headings: embeddings distinguish short passages better than long ones.
 */
const maxChars = 500

/**
 * Maximum number of characters in a heading, and of consecutive headings above the same text; anything beyond is normal text.
 */
const maxHeadingChars = 300
const maxTitles = 16

/**
 * Yields the sections, long ones in several chunks; the first of each includes its heading, and all know the headings above.
 */
function* byHeadings(passages: readonly Passage[]): Generator<Slice> {
  const path: (Passage | undefined)[] = []
  let titles: Passage[] = []
  let body: Passage[] = []
  const above = (): readonly string[] =>
    path.flatMap((heading) => (heading && !titles.includes(heading) ? [heading.text] : []))
  function* end(): Generator<Slice> {
    if (body.length === 0) return
    const head = titles.map(({ text }) => text)
    const headings = above()
    const lead = joined([...titles, ...body.slice(0, 1)], headings)
    let first = true
    for (const slice of packed(body, [], maxChars)) {
      // Later chunks of the same section do not include its heading, so it is added to the headings above.
      yield first
        ? { ...slice, ...headed(slice, head, lead), headings }
        : { ...slice, headings: [...headings, ...head] }
      first = false
    }
    titles = []
    body = []
  }
  for (const passage of passages) {
    if (passage.level === null || passage.text.length > maxHeadingChars) {
      body.push(passage)
      continue
    }
    yield* end()
    path.length = passage.level - 1
    path[passage.level - 1] = passage
    if (titles.length === maxTitles) {
      yield* packed(titles, [], maxChars)
      titles = []
    }
    titles.push(passage)
  }
  yield* end()
  // Headings with nothing below them are the only content.
  yield* packed(titles, [], maxChars)
}

function headed(
  slice: Slice,
  titles: readonly string[],
  lead: Slice,
): Pick<Slice, 'text' | 'line' | 'places' | 'parts'> {
  const text = [...titles, slice.text].join('\n')
  const { line, places, parts } = slice
  if (titles.length === 0) return { text, line, places, parts }
  const below = lead.parts[titles.length]?.at ?? 0
  return {
    text,
    line: lead.line,
    places: united(lead, slice),
    parts: [
      ...lead.parts.slice(0, titles.length),
      ...parts.map((part) => ({ ...part, at: part.at + below })),
    ],
  }
}

const united = (a: Slice, b: Slice): Slice['places'] =>
  joined(
    [a, b].map((slice) => ({ ...slice, level: null })),
    [],
  ).places

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

function* shortSegments({ text, start }: TextPart, most: number): Generator<TextPart> {
  let at = start
  for (const part of splitAtSentences(text, most)) {
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
function* bySeparators(
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
  for (const segment of cutAt(whole, used.length > 0 ? used : ['\n']))
    for (const { text, start } of shortSegments(segment, sentenceSize)) {
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
