/** Pages `first` to `last`, inclusive, from 1. */
export interface PageRange {
  readonly first: number
  readonly last: number
}

/**
 * Reason why part of a page selection is invalid: it is not readable, contains page 0, or a page after the last.
 */
type RangeProblem = 'unreadable' | 'zero' | 'beyond'

/** Invalid part of a selection, as it was written. */
interface RangeFault {
  readonly part: string
  readonly problem: RangeProblem
}

/** Parsed pages (sorted, merged, none empty), or all invalid parts in order. */
type ReadRanges =
  | { readonly ok: true; readonly ranges: readonly PageRange[] }
  | { readonly ok: false; readonly faults: readonly RangeFault[] }

/** Characters between the ends of a range; Chinese text has its own, and a long dash is often two. */
const dash = '-‐‑‒–—―−﹣－~〜～至到'
const dashes = new RegExp(`[${dash}]+`, 'u')

/** Separators are commas, semicolons and white space; white space around a dash belongs to the dash. */
const rangePattern = new RegExp(`(?:[^${dash} ,，、;；]| ?[${dash}] ?)+`, 'gu')

/** One end of a range: `7`, `p. 7`, `page 7`, `第7页`, full-width digits. Empty is an open end. */
const endPattern = /^(?:第|p{1,2}\.?|pages?)? ?(\d+) ?[页頁]?$/iu

/** A word for pages, separated from its number by a space, belongs to it. */
const pageWordPattern = /(^|[ ,，、;；])(p{1,2}\.?|pages?) (?=[\d０-９])/giu

/**
 * Parses a page selection ("1-3, 7, 20-", "-5", "第3至5页，8") for a document of `count` pages. Ends may be reversed and
 * pages repeated. Empty text means all pages.
 */
export function readRanges(text: string, count: number): ReadRanges {
  const plain = text.replace(/\s+/gu, ' ').trim().replace(pageWordPattern, '$1$2')
  const parts = (plain.match(rangePattern) ?? []).map((part) => part.trim())
  if (parts.length === 0) {
    if (plain !== '') return { ok: false, faults: [{ part: plain, problem: 'unreadable' }] }
    return { ok: true, ranges: count > 0 ? [{ first: 1, last: count }] : [] }
  }
  const ranges: PageRange[] = []
  const faults: RangeFault[] = []
  for (const part of parts) {
    const read = readRange(part, count)
    if (typeof read === 'string') faults.push({ part, problem: read })
    else ranges.push(read)
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, ranges: mergeRanges(ranges) }
}

function readRange(part: string, count: number): PageRange | RangeProblem {
  const [from = '', to, ...more] = part.split(dashes).map((end) => end.normalize('NFKC').trim())
  if (more.length > 0 || (from === '' && !to)) return 'unreadable'
  const first = readEnd(from, 1)
  const last = to === undefined ? first : readEnd(to, count)
  if (first === null || last === null) return 'unreadable'
  if ((from !== '' && first === 0) || (to && last === 0)) return 'zero'
  if (first > count || last > count) return 'beyond'
  return { first: Math.min(first, last), last: Math.max(first, last) }
}

function readEnd(end: string, open: number): number | null {
  if (end === '') return open
  const digits = endPattern.exec(end)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Sorts ranges and merges those that touch or overlap. */
export function mergeRanges(ranges: readonly PageRange[]): readonly PageRange[] {
  const merged: PageRange[] = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1)
    if (before === undefined || before.last + 1 < range.first) merged.push(range)
    else if (range.last > before.last)
      merged[merged.length - 1] = { first: before.first, last: range.last }
  }
  return merged
}

/** Returns the ranges of exactly these pages, which may be in any order. */
export const rangesOf = (pages: Iterable<number>): readonly PageRange[] =>
  mergeRanges(Array.from(pages, (page) => ({ first: page, last: page })))

/** Returns the number of pages in merged ranges. */
export const countPages = (ranges: readonly PageRange[]): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0)

/** Yields every page of the ranges, in order. */
export function* pagesIn(ranges: readonly PageRange[]): Generator<number> {
  for (const { first, last } of ranges) for (let page = first; page <= last; page++) yield page
}

/**
 * Formats merged ranges as text. With the document's page count, it is the shortest text that {@link readRanges} accepts
 * ("-3, 7, 20-", empty for all pages); without it, every end is written out ("1-3, 7, 20-117"), for people.
 */
export function rangesText(ranges: readonly PageRange[], count?: number): string {
  const [only] = ranges
  if (ranges.length === 1 && only?.first === 1 && only.last === count) return ''
  return ranges.map((range) => textOf(range, count)).join(', ')
}

function textOf({ first, last }: PageRange, count: number | undefined): string {
  if (first === last) return `${first}`
  if (count !== undefined && first === 1) return `-${last}`
  return last === count ? `${first}-` : `${first}-${last}`
}
