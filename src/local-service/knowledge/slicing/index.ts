import { DocumentFailure } from '../types.ts'
import type { Passage, Slice, SlicingRules } from '../types.ts'
import { byHeadings } from './headings.ts'
import { joined } from './join.ts'
import { byQuestions } from './questions.ts'
import { bySeparators } from './separators.ts'

const isSheet = (passages: readonly Passage[]): boolean =>
  passages.some(({ cells }) => cells !== undefined)

function byRows(passages: readonly Passage[]): readonly Slice[] {
  if (!isSheet(passages))
    throw new DocumentFailure(10001, 'Only a sheet (CSV) can be cut into rows')
  return passages.map((row) => joined([row], []))
}

/** A text without pages is one page. */
function byPages(passages: readonly Passage[]): readonly Slice[] {
  const pages = new Map<number, Passage[]>()
  for (const passage of passages) {
    const page = passage.places[0]?.page ?? 1
    const known = pages.get(page)
    if (known) known.push(passage)
    else pages.set(page, [passage])
  }
  return Array.from(pages.values(), (page) => joined(page, []))
}

/** Cuts a document as its rules say (service-notes 7). Throws {@link DocumentFailure} where they do not fit it. */
export function slicesOf(passages: readonly Passage[], rules: SlicingRules): readonly Slice[] {
  const slices = cut(passages, rules).filter(({ text }) => text.trim() !== '')
  if (slices.length === 0) throw new DocumentFailure(10001, 'The document holds no words')
  return slices
}

function cut(passages: readonly Passage[], rules: SlicingRules): readonly Slice[] {
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
