import type { ReadingPosition } from '../../../../shared/contract/documents.ts'
import type {
  DocumentFacts,
  PageState,
  PartPlan,
  VersionCoverage,
} from '../../../../shared/model/document.ts'
import type { Clock } from '../../../deps.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { findStore } from './documents-find.ts'
import { blockStore, pageStore } from './documents-pages.ts'
import { partStore } from './documents-parts.ts'
import { imageStore } from './documents-images.ts'
import { documentReplyStore } from './documents-replies.ts'
import { documentSeq, requireVersion, toRanges } from './documents-rows.ts'
import { settleDocuments } from './documents-maintenance.ts'
import type { DocumentHead, DocumentsStore } from './documents-types.ts'
import { versionsOf, versionStore } from './documents-versions.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'
import { mergeRanges, rangesOf } from '../../../../shared/documents/ranges.ts'
import { recountVersion } from './documents-counts.ts'
import { afterPages } from './documents-search.ts'

interface HeadRow {
  readonly seq: number
  readonly id: string
  readonly title: string
  readonly name: string
  readonly media_id: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
}

/**
 * Store of documents (architecture: model/document). Every method is one transaction; see {@link DocumentsStore}. `settle` is
 * called when a method leaves work to do.
 */
export function documentStore(
  connection: Connection,
  clock: Clock,
  settle: () => void = () => undefined,
): DocumentsStore {
  function head(id: string): (DocumentHead & { readonly seq: number }) | undefined {
    const row = connection.get<HeadRow>(
      `SELECT i.seq, i.id, i.title, d.name, i.media_id, i.created_at, i.updated_at, i.deleted_at
       FROM items i JOIN documents d ON d.item_seq = i.seq WHERE i.id = ?`,
      id,
    )
    return (
      row && {
        seq: row.seq,
        id: row.id,
        title: row.title,
        mediaId: row.media_id,
        name: row.name,
        versions: versionsOf(connection, row.seq),
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        deletedAt: row.deleted_at,
      }
    )
  }
  const putFacts = (seq: number, facts: DocumentFacts | null): unknown =>
    connection.run(
      'UPDATE documents SET facts = ?, pages = ?, locked = ? WHERE item_seq = ?',
      facts && JSON.stringify(facts),
      facts?.pages ?? 0,
      facts?.locked === 'user' ? 1 : 0,
      seq,
    )

  /** Wraps a method that may change many pages and leave work to do. */
  const large =
    <Args extends unknown[], Result>(change: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const result = change(...args)
      settle()
      return result
    }
  const factsOf = factsReader(connection)
  const replies = documentReplyStore(connection)
  const known = knownStore(connection, clock)
  const pages = pageStore(connection, clock)

  return {
    ...versionStore(connection, clock),
    ...partStore(connection, clock),
    ...replies,
    ...known,
    ...pages,
    reply: large(replies.reply),
    reuse: large(known.reuse),
    choose: large(pages.choose),
    ...coverageStore(connection),
    ...blockStore(connection, clock),
    ...findStore(connection),
    ...imageStore(connection),
    create(document) {
      connection.transaction(() => {
        const { lastId: seq } = connection.run(
          `INSERT INTO items(id, kind, title, media_id, created_at, updated_at) VALUES (?, 'document', ?, ?, ?, ?)`,
          document.id,
          document.title,
          document.mediaId,
          document.at,
          document.at,
        )
        connection.run(
          'INSERT INTO documents(item_seq, content, name) VALUES (?, ?, ?)',
          seq,
          document.mediaId,
          document.name,
        )
        putFacts(seq, document.facts)
        putSearchRow(connection, { seq, number: 0, title: document.title, text: '' })
      })
    },
    head(id) {
      const found = head(id)
      if (!found) return undefined
      const { seq: _seq, ...rest } = found
      return rest
    },
    get(id) {
      const found = head(id)
      if (!found) return undefined
      const { seq, ...rest } = found
      return { ...rest, facts: factsOf(seq) }
    },
    facts(id) {
      const row = connection.get<{ seq: number }>('SELECT seq FROM items WHERE id = ?', id)
      return row ? factsOf(row.seq) : null
    },
    byMedia: (mediaId) =>
      connection.get<{ id: string }>(
        `SELECT i.id FROM documents d CROSS JOIN items i ON i.seq = d.item_seq
         WHERE d.content = ? AND i.deleted_at IS NULL ORDER BY d.item_seq DESC LIMIT 1`,
        mediaId,
      )?.id,
    setFacts(id, facts) {
      connection.transaction(() => {
        const seq = documentSeq(connection, id)
        putFacts(seq, facts)
        connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', clock(), seq)
      })
    },
    setOriginal(id, mediaId) {
      connection.transaction(() => {
        const seq = documentSeq(connection, id)
        connection.run(
          'UPDATE items SET media_id = ?, updated_at = ? WHERE seq = ?',
          mediaId,
          clock(),
          seq,
        )
      })
    },
    place(id) {
      const row = connection.get<{ place: string | null }>(
        'SELECT place FROM documents WHERE item_seq = ?',
        documentSeq(connection, id),
      )
      return parsed<ReadingPosition>(row?.place ?? null)
    },
    setPlace: (id, place) =>
      void connection.run(
        'UPDATE documents SET place = ? WHERE item_seq = ?',
        JSON.stringify({ page: place.page, offset: place.offset, zoom: place.zoom }),
        documentSeq(connection, id),
      ),
    settle: () => settleDocuments(connection),
  }
}

/** Number of documents whose facts are cached: those being processed and the one being viewed. */
const held = 8

/**
 * Reads the facts of documents. Those of a long document are thousands of numbers that every part needs: the stored text
 * is read each time, and parsed again only if it changed.
 */
function factsReader(connection: Connection): (seq: number) => DocumentFacts | null {
  /** Cache in order of use; the last entry is the most recently read. */
  const known = new Map<number, { readonly text: string; readonly facts: DocumentFacts | null }>()
  return (seq) => {
    const text = connection.get<{ facts: string | null }>(
      'SELECT facts FROM documents WHERE item_seq = ?',
      seq,
    )?.facts
    const before = known.get(seq)
    known.delete(seq)
    if (text === undefined || text === null) return null
    const now = before?.text === text ? before : { text, facts: parsed<DocumentFacts>(text) }
    known.set(seq, now)
    const [oldest] = known.keys()
    if (known.size > held && oldest !== undefined) known.delete(oldest)
    return now.facts
  }
}

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
const coverageStore = (connection: Connection): Pick<DocumentsStore, 'coverage'> => ({
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
function knownStore(connection: Connection, clock: Clock): Pick<DocumentsStore, 'known' | 'reuse'> {
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
