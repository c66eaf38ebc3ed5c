import type { Passage, Slice } from '../types.ts'
import { joined, packed } from './join.ts'

/** Characters of a slice cut by headings: an embedding tells short passages apart better than long ones. */
const mostChars = 500

/** One section after another, long ones in several slices; each begins with its heading and knows those above it. */
export function byHeadings(passages: readonly Passage[]): readonly Slice[] {
  const slices: Slice[] = []
  const path: (Passage | undefined)[] = []
  let titles: Passage[] = []
  let body: Passage[] = []
  const above = (): readonly string[] =>
    path.flatMap((heading) => (heading && !titles.includes(heading) ? [heading.text] : []))
  const end = (): void => {
    if (body.length === 0) return
    const [first, ...more] = packed(body, [], mostChars)
    const head = titles.map(({ text }) => text)
    const headings = above()
    const lead = joined([...titles, ...body.slice(0, 1)], headings)
    if (first) slices.push({ ...first, ...headed(first, head, lead), headings })
    // What follows in the same section is not begun with its heading, so it stands among those above.
    slices.push(...more.map((slice) => ({ ...slice, headings: [...headings, ...head] })))
    titles = []
    body = []
  }
  for (const passage of passages) {
    if (passage.level === null) {
      body.push(passage)
      continue
    }
    end()
    path.length = passage.level - 1
    path[passage.level - 1] = passage
    titles.push(passage)
  }
  end()
  // Headings with nothing below them are all that is said there.
  if (titles.length > 0) slices.push(...packed(titles, [], mostChars))
  return slices
}

function headed(
  slice: Slice,
  titles: readonly string[],
  lead: Slice,
): Pick<Slice, 'text' | 'line' | 'places'> {
  const text = [...titles, slice.text].join('\n')
  if (titles.length === 0) return { text, line: slice.line, places: slice.places }
  return { text, line: lead.line, places: united(lead, slice) }
}

const united = (a: Slice, b: Slice): Slice['places'] =>
  joined(
    [a, b].map((slice) => ({ ...slice, level: null })),
    [],
  ).places
