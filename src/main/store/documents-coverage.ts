import { mergeRanges } from '../../shared/document/ranges.ts'
import type { PageState, PartPlan, VersionCoverage } from '../../shared/model/document.ts'
import type { Connection } from './connection.ts'
import { documentSeq } from './documents-rows.ts'
import type { DocumentsStore } from './documents-types.ts'

/** Pages of a version that follow each other and are in every way alike. */
interface Island extends PartPlan {
  readonly version_id: string
  readonly state: PageState
  readonly stands: number
  readonly edited: number
}

/** The part of the store that tells which pages each version has; read as stretches, so that thousands of pages are few rows. */
export const coverageStore = (connection: Connection): Pick<DocumentsStore, 'coverage'> => ({
  coverage(id) {
    const islands = connection.all<Island>(
      `SELECT v.id AS version_id, g.state, stands, edited, min(page) AS first, max(page) AS last FROM (
         SELECT version_seq, page, state, stands, edits > 0 AS edited,
           page - row_number() OVER (PARTITION BY version_seq, state, stands, edits > 0 ORDER BY page) AS island
         FROM document_pages WHERE item_seq = ?) AS g JOIN document_versions v ON v.seq = g.version_seq
       GROUP BY version_seq, g.state, stands, edited, island ORDER BY version_seq DESC, first`,
      documentSeq(connection, id),
    )
    return Array.from(
      Map.groupBy(islands, ({ version_id }) => version_id),
      ([versionId, own]) => coverageOf(versionId, own),
    )
  },
})

function coverageOf(versionId: string, islands: readonly Island[]): VersionCoverage {
  const ranges = (of: (island: Island) => boolean): readonly PartPlan[] =>
    mergeRanges(islands.filter(of).map(({ first, last }) => ({ first, last })))
  return {
    versionId,
    returned: ranges(({ state }) => state === 'returned'),
    failed: ranges(({ state }) => state === 'failed'),
    cancelled: ranges(({ state }) => state === 'cancelled'),
    waiting: ranges(({ state }) => state === 'waiting' || state === 'sent'),
    stands: ranges(({ stands }) => stands > 0),
    chosen: ranges(({ stands }) => stands === 2),
    edited: ranges(({ edited }) => edited > 0),
  }
}
