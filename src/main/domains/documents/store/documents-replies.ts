import { inflateRawSync } from 'node:zlib'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { recountVersion } from './documents-counts.ts'
import { blocksWritten, dropStaged, putBlocks } from './documents-pages.ts'
import { documentSeq, requirePart, type PartRow } from './documents-rows.ts'
import { afterPages } from './documents-search.ts'
import { spanOf } from './documents-parts.ts'
import type { DocumentsStore, PartOutcome, PartReply, ReturnedPage } from './documents-types.ts'
import { runReplyColumns } from '../../../platform/database/run-replies.ts'

/** Store methods that save responses completely or not at all, and return them unchanged. */
export function documentReplyStore(
  connection: Connection,
): Pick<DocumentsStore, 'stage' | 'unstage' | 'reply' | 'returned' | 'rawReply'> {
  const assertSent = (partId: string): PartRow => {
    const part = requirePart(connection, partId)
    if (part.state !== 'sent') throw new AppError('REFUSED', `The part is ${part.state}, not sent`)
    return part
  }

  function savePage(part: PartRow, page: ReturnedPage): void {
    const blocks = page.blocks === 0 ? [] : page.blocks
    if (typeof blocks !== 'number') putBlocks(connection, part, { page: page.page, blocks })
    else if (blocksWritten(connection, part.version_seq, page.page) !== blocks)
      throw new AppError('REFUSED', 'Not all blocks of this page were saved')
    connection.run(
      `UPDATE document_pages SET state = 'returned', part_seq = ?, blocks = ?, raster_width = ?, raster_height = ?, regime = ?,
         layout_picture = ?, error = NULL WHERE version_seq = ? AND page = ?`,
      part.seq,
      typeof blocks === 'number' ? blocks : blocks.length,
      page.raster?.width ?? null,
      page.raster?.height ?? null,
      page.regime,
      page.layoutPicture ?? null,
      part.version_seq,
      page.page,
    )
  }

  function saveRaw(part: PartRow, reply: PartReply): void {
    connection.run(
      `INSERT OR REPLACE INTO document_replies(part_seq, status, content_type, body, packed, markdown) VALUES (?, ?, ?, ?, ?, ?)`,
      part.seq,
      ...runReplyColumns(reply.raw),
      reply.markdown,
    )
  }

  function endPart(part: PartRow, reply: PartReply, outcome: PartOutcome): void {
    const { first, last } = spanOf(part)
    connection.run(
      `UPDATE document_pages SET state = 'failed', error = ?
       WHERE version_seq = ? AND page BETWEEN ? AND ? AND state IN ('waiting', 'sent')`,
      JSON.stringify(reply.missing),
      part.version_seq,
      first,
      last,
    )
    connection.run(
      `UPDATE document_parts SET state = 'done', next_try_at = NULL, error = NULL, surplus = ? WHERE seq = ?`,
      JSON.stringify(outcome.surplus),
      part.seq,
    )
    connection.run(
      'UPDATE document_versions SET engine = coalesce(?, engine) WHERE seq = ?',
      reply.engine,
      part.version_seq,
    )
  }

  return {
    stage(partId, pages) {
      connection.transaction(() => {
        const part = assertSent(partId)
        const { first, last } = spanOf(part)
        for (const page of pages)
          if (page.page >= first && page.page <= last) putBlocks(connection, part, page)
      })
    },
    unstage(partId) {
      connection.transaction(() => {
        const part = requirePart(connection, partId)
        dropStaged(connection, part.version_seq, spanOf(part))
      })
    },
    reply(partId, reply) {
      return connection.transaction(() => {
        const part = assertSent(partId)
        const { outcome, pages } = sorted(part, reply.pages)
        saveRaw(part, reply)
        for (const page of pages) savePage(part, page)
        endPart(part, reply, outcome)
        const filled = new Set(reply.filled)
        for (const address of new Set(reply.addresses))
          // Images referenced in text are fetched only on a click.
          connection.run(
            `INSERT INTO document_remote(item_seq, address, given_up) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET given_up = 0
             WHERE excluded.given_up = 0 AND media_id IS NULL AND attempts = 0`,
            part.item_seq,
            address,
            filled.has(address) ? 0 : 1,
          )
        recountVersion(connection, part.version_seq, reply.at)
        afterPages(connection, part.item_seq, outcome.returned, reply.at)
        return outcome
      })
    },
    returned(id, page, versionId) {
      const row = connection.get<{
        part_id: string
        first_page: number
        last_page: number
        markdown: string
      }>(
        `SELECT p.id AS part_id, p.first_page, p.last_page, r.markdown
         FROM document_pages g CROSS JOIN document_versions v ON v.seq = g.version_seq
           CROSS JOIN document_parts p ON p.seq = g.part_seq CROSS JOIN document_replies r ON r.part_seq = p.seq
         WHERE g.item_seq = ? AND g.page = ? AND g.state = 'returned' AND iif(? IS NULL, g.stands > 0, v.id = ?)`,
        documentSeq(connection, id),
        page,
        versionId ?? null,
        versionId ?? null,
      )
      return (
        row && {
          partId: row.part_id,
          first: row.first_page,
          last: row.last_page,
          markdown: row.markdown,
        }
      )
    },
    rawReply(partId) {
      const row = connection.get<{
        status: number
        content_type: string
        body: string | null
        packed: Uint8Array | null
      }>(
        'SELECT status, content_type, body, packed FROM document_replies WHERE part_seq = ?',
        requirePart(connection, partId).seq,
      )
      if (!row) return null
      return {
        status: row.status,
        contentType: row.content_type,
        body: row.packed ? inflateRawSync(row.packed).toString('utf8') : (row.body ?? ''),
      }
    },
  }
}

/** Separates the pages of a response: the requested ones, once each, and surplus ones. */
function sorted(
  part: PartRow,
  pages: readonly ReturnedPage[],
): { readonly outcome: PartOutcome; readonly pages: readonly ReturnedPage[] } {
  const { first, last } = spanOf(part)
  const requested = new Map<number, ReturnedPage>()
  const surplus: number[] = []
  for (const page of pages) {
    const wanted = page.page >= first && page.page <= last && !requested.has(page.page)
    if (wanted) requested.set(page.page, page)
    else surplus.push(page.page)
  }
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  return {
    outcome: {
      returned: all.filter((page) => requested.has(page)),
      missing: all.filter((page) => !requested.has(page)),
      surplus,
    },
    pages: all.flatMap((page) => requested.get(page) ?? []),
  }
}
