import { mergeRanges, rangesOf } from '../../../../shared/documents/ranges.ts'
import type { PageState, PartPlan, VersionCoverage } from '../../../../shared/model/document.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { documentSeq } from './documents-rows.ts'
import type { DocumentsStore } from './documents-types.ts'

/** Pages of a version with the same state and plan. */
interface EquivalentPages extends PartPlan {
  readonly version_id: string
  readonly state: PageState
  readonly stands: number
  readonly edited: number
  /** Comma-separated page numbers in any order; null for every page from first to last. */
  readonly pages: string | null
}

/** Part of the store that returns the pages of each version; thousands of pages become few rows. */
export const coverageStore = (connection: Connection): Pick<DocumentsStore, 'coverage'> => ({
  coverage(id) {
    const groups = connection.all<EquivalentPages>(
      `SELECT v.id AS version_id, g.* FROM (
         SELECT version_seq, state, stands, edits > 0 AS edited, min(page) AS first, max(page) AS last,
           iif(count(*) = max(page) - min(page) + 1, NULL, group_concat(page)) AS pages
         FROM document_pages WHERE item_seq = ? GROUP BY version_seq, state, stands, edited) AS g
       JOIN document_versions v ON v.seq = g.version_seq ORDER BY g.version_seq DESC`,
      documentSeq(connection, id),
    )
    return Array.from(
      Map.groupBy(groups, ({ version_id }) => version_id),
      ([versionId, own]) => coverageOf(versionId, own),
    )
  },
})

const rangesIn = ({ first, last, pages }: EquivalentPages): readonly PartPlan[] =>
  pages === null ? [{ first, last }] : rangesOf(pages.split(',').map(Number))

function coverageOf(versionId: string, groups: readonly EquivalentPages[]): VersionCoverage {
  const read = groups.map((group) => ({ group, ranges: rangesIn(group) }))
  const ranges = (of: (group: EquivalentPages) => boolean): readonly PartPlan[] =>
    mergeRanges(read.filter(({ group }) => of(group)).flatMap((one) => one.ranges))
  return {
    versionId,
    returned: ranges(({ state }) => state === 'returned'),
    failed: ranges(({ state }) => state === 'failed'),
    cancelled: ranges(({ state }) => state === 'cancelled'),
    waiting: ranges(({ state }) => state === 'waiting' || state === 'sent'),
    stands: ranges(({ stands: current }) => current > 0),
    chosen: ranges(({ stands: current }) => current === 2),
    edited: ranges(({ edited }) => edited > 0),
  }
}
