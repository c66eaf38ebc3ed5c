import { DocumentFailure } from './types.ts'
import type { Passage, Slice, SlicingRules } from './types.ts'
import { byHeadings } from './by-headings.ts'
import { joined, pageOf } from './join.ts'
import { byQuestions } from './by-questions.ts'
import { bySeparators } from './by-separators.ts'

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
