import { placeholdersIn } from '../../../shared/document/placeholders.ts'
import type { RawBox } from '../../../shared/document/placeholders.ts'
import type { ParsedLayout } from '../../api/layout.ts'

/** Maximum number of placeholders of one text that are evaluated: more would not change the result. */
const maxVotes = 10_000

/**
 * Returns the offset from a placeholder's number to the index (from 0) of its page in the response. Providers usually
 * count from 0 in the response; for a request of pages from `first` on, one may count in the whole document, or from 1.
 * Determined by blocks that contain a placeholder or its box, otherwise by the numbers themselves.
 */
export function placeholderShift(
  { markdown, pages }: Pick<ParsedLayout, 'markdown' | 'pages'>,
  first: number,
  count: number,
): number {
  const shifts = [0, -1, 1 - first, -first]
  const votes = new Map<number, number>()
  const vote = (shift: number): void => {
    if (shifts.includes(shift)) votes.set(shift, (votes.get(shift) ?? 0) + 1)
  }
  const numbers: number[] = []
  for (const [place, blocks] of pages.entries())
    for (const { content } of blocks)
      for (const { index } of placeholdersIn(content, maxVotes)) {
        numbers.push(index)
        vote(place - index)
      }
  const places = placesByBox(pages)
  for (const { index, box } of placeholdersIn(markdown, maxVotes)) {
    numbers.push(index)
    for (const place of (box && places.get(keyOf(box))) ?? []) vote(place - index)
  }
  const within = (shift: number): boolean =>
    numbers.every((index) => index + shift >= 0 && index + shift < count)
  const highest = Math.max(0, ...votes.values())
  const candidates = highest > 0 ? shifts.filter((shift) => votes.get(shift) === highest) : shifts
  return candidates.find(within) ?? candidates[0] ?? 0
}

/**
 * Returns pages by the boxes of their blocks, rounded to whole numbers since placeholders may be rounded; fractions are
 * unchanged.
 */
function placesByBox(pages: ParsedLayout['pages']): ReadonlyMap<string, ReadonlySet<number>> {
  const places = new Map<string, Set<number>>()
  for (const [place, blocks] of pages.entries())
    for (const { bbox } of blocks) {
      if (!bbox) continue
      const key = keyOf(bbox)
      places.set(key, (places.get(key) ?? new Set<number>()).add(place))
    }
  return places
}

const keyOf = (box: RawBox): string =>
  box.map((value) => (Math.abs(value) > 2 ? Math.round(value) : value.toFixed(4))).join(' ')
