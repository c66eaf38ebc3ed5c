import { countPages, mergeRanges, pagesIn } from '../../../../../shared/documents/ranges.ts'
import type { PageRange } from '../../../../../shared/documents/ranges.ts'
import type { VersionCoverage } from '../../../../../shared/model/document.ts'

/** Pages of each version of a document, newest version first. */
export type Coverage = readonly VersionCoverage[]

/** Whether merged ranges contain a page. */
export const holds = (ranges: readonly PageRange[], page: number): boolean =>
  ranges.some(({ first, last }) => first <= page && page <= last)

/** Returns the current version of a page; null if none returned it. */
export const currentFor = (coverage: Coverage, page: number): string | null =>
  coverage.find(({ stands: current }) => holds(current, page))?.versionId ?? null

/** Whether the user chose the current version of a page. */
export const isChosen = (coverage: Coverage, page: number): boolean =>
  coverage.some(({ chosen }) => holds(chosen, page))

/** Returns the versions that returned a page, newest first. */
export const versionsOf = (coverage: Coverage, page: number): readonly string[] =>
  coverage.filter(({ returned }) => holds(returned, page)).map(({ versionId }) => versionId)

/** Whether a page is being parsed in any version. */
export const isWaited = (coverage: Coverage, page: number): boolean =>
  coverage.some(({ waiting }) => holds(waiting, page))

/** Returns the newest version other than `shown` in which the user edited a page; null if there is none. */
export const editedIn = (coverage: Coverage, page: number, shown: string | null): string | null =>
  coverage.find(({ versionId, edited }) => versionId !== shown && holds(edited, page))?.versionId ??
  null

/** Returns the number of pages that have a current version. */
export const currentCount = (coverage: Coverage): number =>
  coverage.reduce((sum, { stands: current }) => sum + countPages(current), 0)

/** Returns the pages that both of two versions returned. */
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

/** Returns the next page of merged ranges in a direction; null at the end. */
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

/** Version chosen for some pages. */
export interface Choice {
  readonly pages: readonly number[]
  /** Null uses the newest version. */
  readonly versionId: string | null
}

/** Returns the choices that restore the present state of these pages; pages without a version need none. */
export function choicesNow(coverage: Coverage, pages: readonly PageRange[]): readonly Choice[] {
  const wanted = mergeRanges(pages)
  const left = (ranges: readonly PageRange[]): number[] =>
    Array.from(pagesIn(wanted)).filter((page) => holds(ranges, page))
  const chosen = coverage.map(({ versionId, chosen: ranges }) => ({
    versionId,
    pages: left(ranges),
  }))
  const byChoice = new Set(chosen.flatMap((one) => one.pages))
  const rest = coverage
    .flatMap(({ stands: current }) => left(current))
    .filter((page) => !byChoice.has(page))
  return [...chosen, { versionId: null, pages: rest }].filter((one) => one.pages.length > 0)
}

/** Pages that were requested but returned by no version. */
interface MissingPages {
  /** The newest version that requested them. */
  readonly versionId: string
  readonly failed: readonly PageRange[]
  readonly cancelled: readonly PageRange[]
}

/**
 * Returns the missing pages by the version that requested them last; pages in progress or current in another version are not
 * missing.
 */
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
    // An older version that failed at the same page need not be reported.
    for (const page of pagesIn([...failed, ...cancelled])) there.add(page)
    return failed.length + cancelled.length > 0 ? [{ versionId, failed, cancelled }] : []
  })
}
