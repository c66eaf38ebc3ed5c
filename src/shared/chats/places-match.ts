import { plainWords } from '../documents/plain-text.ts'
import type { Block, Box } from '../model/document.ts'
import { indexTokens } from '../text/cut.ts'
import type { SourceBox } from './places.ts'

/** Number of characters of a text to compare: some pages. */
const comparedChars = 40_000
/** Minimum share of the smaller text that the other must contain. */
const enough = 0.6
/** Margin by which one page must match better than its neighbor to be trusted. */
const clearly = 0.1

/** Returns pairs of adjacent words, which distinguish them from the same words elsewhere. */
function pairsOf(text: string): ReadonlySet<string> {
  const tokens = indexTokens(text.slice(0, comparedChars)).split(' ').filter(Boolean)
  if (tokens.length < 2) return new Set(tokens)
  return new Set(tokens.slice(1).map((token, at) => `${tokens[at] ?? ''} ${token}`))
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  let count = 0
  for (const one of few) if (many.has(one)) count += 1
  return count
}

/** Returns the share of a passage's word pairs that a text contains, 0 to 1. */
export function shareOf(passage: string, text: string): number {
  const wanted = pairsOf(passage)
  return wanted.size === 0 ? 0 : common(wanted, pairsOf(text)) / wanted.size
}

/** Returns the intersection over union of two boxes, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const wide = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const high = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (wide <= 0 || high <= 0) return 0
  const area = (box: Box): number => (box[2] - box[0]) * (box[3] - box[1])
  const both = wide * high
  return both / (area(a) + area(b) - both)
}

/**
 * Returns the blocks that contain a passage's words: those it consists of, or the one that contains it. Of several
 * positions, the one that contains most of it, including following pages. In the given order.
 */
export function blocksWithWords(passage: string, blocks: readonly Block[]): readonly Block[] {
  const wanted = pairsOf(passage)
  if (wanted.size === 0) return []
  const held = new Map<number, number>()
  const fitting = blocks.filter((block) => {
    const pairs = pairsOf(plainWords(block))
    const both = common(wanted, pairs)
    // One or two words occur everywhere.
    const tiny = pairs.size < 3 && wanted.size >= 3
    const fits = !tiny && Math.max(both / (pairs.size || 1), both / wanted.size) >= enough
    if (fits) held.set(block.page, (held.get(block.page) ?? 0) + both)
    return fits
  })
  const best = [...held].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0]
  if (best === undefined) return []
  let [first, last] = [best, best]
  while (held.has(first - 1)) first -= 1
  while (held.has(last + 1)) last += 1
  return fitting.filter(({ page }) => page >= first && page <= last)
}

/**
 * Returns the blocks of a page that a rectangle refers to: those it covers (more than half of both together), otherwise
 * those that contain the passage's words.
 */
export function blocksUnder(box: Box, passage: string, blocks: readonly Block[]): readonly Block[] {
  const covered = blocks.filter((block) => block.box && overlapOf(box, block.box) > 0.5)
  if (covered.length > 0) return covered
  const near = blocks.filter((block) => block.box && overlapOf(box, block.box) > 0)
  return blocksWithWords(passage, near.length > 0 ? near : blocks)
}

/**
 * Determines which number the provider gives the first page, when its document is available: by the number of pages,
 * otherwise by the page that contains the passage's words. Null if neither determines it.
 */
export async function decideFirstPage(
  boxes: readonly Pick<SourceBox, 'page'>[],
  passage: string,
  /** Number of pages of the document, and the text of a page (from 1); null if it cannot be read. */
  document: { readonly pages: number; wordsOf(page: number): Promise<string | null> },
): Promise<0 | 1 | null> {
  const numbers = [...new Set(boxes.map(({ page }) => page))].toSorted((a, b) => a - b)
  const [lowest] = numbers
  if (lowest === undefined) return null
  if (lowest === 0) return 0
  if ((numbers.at(-1) ?? 0) >= document.pages) return 1
  let [fromOne, fromZero] = [0, 0]
  for (const page of numbers.slice(0, 3)) {
    const [here, next] = await Promise.all([document.wordsOf(page), document.wordsOf(page + 1)])
    if (here !== null) fromOne += shareOf(passage, here)
    if (next !== null) fromZero += shareOf(passage, next)
  }
  const apart = fromOne - fromZero
  return Math.abs(apart) < clearly ? null : apart > 0 ? 1 : 0
}
