import type { ReadingPosition } from '../../../../shared/contract/documents.ts'
import type { DocumentFacts } from '../../../../shared/model/document.ts'
import type { Clock } from '../../../deps.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { blockStore } from './documents-blocks.ts'
import { coverageStore } from './documents-coverage.ts'
import { factsReader } from './documents-metadata.ts'
import { findStore } from './documents-find.ts'
import { knownStore } from './documents-page-reuse.ts'
import { pageStore } from './documents-pages.ts'
import { partStore } from './documents-parts.ts'
import { imageStore } from './documents-images.ts'
import { documentReplyStore } from './documents-replies.ts'
import { documentSeq } from './documents-rows.ts'
import { settleDocuments } from './documents-maintenance.ts'
import type { DocumentHead, DocumentsStore } from './documents-types.ts'
import { versionsOf, versionStore } from './documents-versions.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'

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
