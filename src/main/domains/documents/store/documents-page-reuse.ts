import type { Clock } from '../../../deps.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { recountVersion } from './documents-counts.ts'
import { requireVersion, toRanges } from './documents-rows.ts'
import { afterPages } from './documents-search.ts'
import type { DocumentsStore } from './documents-types.ts'

/** Number of pages reused at once: their blocks are copied and indexed. */
const defaultLimit = 20

/**
 * SQL for the fingerprint under which page `q` of version `s` was parsed: that of its part, because a retry may use
 * another account.
 */
const answeredUnder =
  'coalesce((SELECT fingerprint FROM document_parts WHERE seq = q.part_seq), s.fingerprint)'

const columns = `kind, label, native_label, content, edited, box_left, box_top, box_right, box_bottom, raw, guessed`

/**
 * Part of the store that prevents sending a page twice: it is identified by its file, its number and everything that
 * affects the result.
 */
export function knownStore(
  connection: Connection,
  clock: Clock,
): Pick<DocumentsStore, 'known' | 'reuse'> {
  /** Copies a page from one version to another that waits for it. */
  function copyPage(
    to: { readonly seq: number; readonly item_seq: number },
    page: number,
    from: number,
  ): void {
    connection.run(
      `INSERT INTO document_blocks(item_seq, version_seq, page, place, ${columns})
       SELECT ?, ?, page, place, ${columns} FROM document_blocks WHERE version_seq = ? AND page = ? ORDER BY place`,
      to.item_seq,
      to.seq,
      from,
      page,
    )
    connection.run(
      `UPDATE document_pages SET state = 'returned', error = NULL,
         (part_seq, blocks, edits, raster_width, raster_height, regime, layout_picture) = (
           SELECT part_seq, blocks, edits, raster_width, raster_height, regime, layout_picture FROM document_pages
           WHERE version_seq = ? AND page = ?)
       WHERE version_seq = ? AND page = ?`,
      from,
      page,
      to.seq,
      page,
    )
    connection.run(
      `UPDATE document_versions SET engine = coalesce(engine, (SELECT engine FROM document_versions WHERE seq = ?)) WHERE seq = ?`,
      from,
      to.seq,
    )
  }

  return {
    known: (mediaId, fingerprint) =>
      toRanges(
        connection
          .all<{ page: number }>(
            `SELECT DISTINCT q.page FROM document_versions s CROSS JOIN document_pages q ON q.version_seq = s.seq
             WHERE s.content = ? AND q.state = 'returned' AND ${answeredUnder} = ? ORDER BY q.page`,
            mediaId,
            fingerprint,
          )
          .map((row) => row.page),
      ),
    reuse(versionId, limit = defaultLimit) {
      return connection.transaction(() => {
        const version = requireVersion(connection, versionId)
        const pages = connection.all<{ page: number; source: number }>(
          `SELECT p.page, max(s.seq) AS source
           FROM document_pages p CROSS JOIN document_versions s CROSS JOIN document_pages q ON q.version_seq = s.seq AND q.page = p.page
           WHERE p.version_seq = ? AND p.state = 'waiting' AND p.part_seq IS NULL
             AND s.content = ? AND s.seq <> ? AND q.state = 'returned' AND ${answeredUnder} = ?
           GROUP BY p.page ORDER BY p.page LIMIT ?`,
          version.seq,
          version.content,
          version.seq,
          version.fingerprint,
          limit,
        )
        if (pages.length === 0) return 0
        for (const { page, source } of pages) copyPage(version, page, source)
        recountVersion(connection, version.seq, clock())
        afterPages(
          connection,
          version.item_seq,
          pages.map((row) => row.page),
          clock(),
        )
        return pages.length
      })
    },
  }
}
