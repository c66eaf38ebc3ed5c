import { countPages, mergeRanges, pagesIn } from '../../../../../shared/document/ranges.ts'
import type { PageRange } from '../../../../../shared/document/ranges.ts'
import type { VersionCoverage } from '../../../../../shared/model/document.ts'

/** Which pages each version of a document has, newest version first. */
export type Coverage = readonly VersionCoverage[]

/** Whether a page lies in merged ranges. */
export const holds = (ranges: readonly PageRange[], page: number): boolean =>
  ranges.some(({ first, last }) => first <= page && page <= last)

/** The version that stands for a page; null where none returned it. */
export const currentFor = (coverage: Coverage, page: number): string | null =>
  coverage.find(({ stands: current }) => holds(current, page))?.versionId ?? null

/** Whether somebody chose the version that stands for a page. */
export const isChosen = (coverage: Coverage, page: number): boolean =>
  coverage.some(({ chosen }) => holds(chosen, page))

/** The versions that returned a page, newest first. */
export const versionsOf = (coverage: Coverage, page: number): readonly string[] =>
  coverage.filter(({ returned }) => holds(returned, page)).map(({ versionId }) => versionId)

/** Whether a page is on its way in some version. */
export const isWaited = (coverage: Coverage, page: number): boolean =>
  coverage.some(({ waiting }) => holds(waiting, page))

/** The newest version other than `shown` in which the reader edited a page; null where none is. */
export const editedIn = (coverage: Coverage, page: number, shown: string | null): string | null =>
  coverage.find(({ versionId, edited }) => versionId !== shown && holds(edited, page))?.versionId ??
  null

/** How many pages have a version that stands for them. */
export const currentCount = (coverage: Coverage): number =>
  coverage.reduce((sum, { stands: current }) => sum + countPages(current), 0)

/** Pages that both of two versions returned. */
export function sharedPages(coverage: Coverage, leftId: string, rightId: string): PageRange[] {
  const of = (id: string): readonly PageRange[] =>
    coverage.find(({ versionId }) => versionId === id)?.returned ?? []
  const right = of(rightId)
  return of(leftId).flatMap((one) =>
    right.flatMap((other) => {
      const first = Math.max(one.first, other.first)
      const last = Math.min(one.last, other.last)
      return first <= last ? [{ first, last }] : []
    }),
  )
}

/** The next page of merged ranges in a direction; null at the end. */
export function nextPage(
  ranges: readonly PageRange[],
  page: number,
  direction: 1 | -1,
): number | null {
  const next = page + direction
  if (holds(ranges, next)) return next
  const nearest =
    direction === 1
      ? ranges.find(({ first }) => first > page)?.first
      : ranges.findLast(({ last }) => last < page)?.last
  return nearest ?? null
}

/** What was chosen for some pages, and what of that is one choice. */
export interface Choice {
  readonly pages: readonly number[]
  /** Null leaves it to the newest. */
  readonly versionId: string | null
}

/** The choices that bring these pages back to how they stand now; pages that no version has need none. */
export function choicesNow(coverage: Coverage, pages: readonly PageRange[]): readonly Choice[] {
  const wanted = mergeRanges(pages)
  const left = (ranges: readonly PageRange[]): number[] =>
    Array.from(pagesIn(wanted)).filter((page) => holds(ranges, page))
  const chosen = coverage.map(({ versionId, chosen: ranges }) => ({
    versionId,
    pages: left(ranges),
  }))
  const byChoice = new Set(chosen.flatMap((one) => one.pages))
  const rest = coverage.flatMap(({ stands: current }) => left(current)).filter((page) => !byChoice.has(page))
  return [...chosen, { versionId: null, pages: rest }].filter((one) => one.pages.length > 0)
}

/** Pages that were asked for and came in no version. */
export interface MissingPages {
  /** The newest version that asked for them. */
  readonly versionId: string
  readonly failed: readonly PageRange[]
  readonly cancelled: readonly PageRange[]
}

/** What is missing, by the version that asked for it last; what is on its way, or stands in another version, is not. */
export function missingPages(coverage: Coverage): readonly MissingPages[] {
  const there = new Set<number>()
  for (const { stands: current, waiting } of coverage)
    for (const page of [...pagesIn(current), ...pagesIn(waiting)]) there.add(page)
  return coverage.flatMap(({ versionId, ...all }) => {
    const missing = (ranges: readonly PageRange[]): readonly PageRange[] => {
      const pages = Array.from(pagesIn(ranges)).filter((page) => !there.has(page))
      return mergeRanges(pages.map((page) => ({ first: page, last: page })))
    }
    const failed = missing(all.failed)
    const cancelled = missing(all.cancelled)
    // An older version that failed at the same page need not be told.
    for (const page of pagesIn([...failed, ...cancelled])) there.add(page)
    return failed.length + cancelled.length > 0 ? [{ versionId, failed, cancelled }] : []
  })
}
