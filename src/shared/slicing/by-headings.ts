import type { Passage, Slice } from './types.ts'
import { joined, packed } from './join.ts'

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
export function* byHeadings(passages: readonly Passage[]): Generator<Slice> {
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
