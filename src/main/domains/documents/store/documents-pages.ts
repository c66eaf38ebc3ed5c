import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import {
  documentSeq,
  requireVersion,
  toPage,
  type PageRow,
  blockSeq,
  toBlock,
  type BlockRow,
  type PartRow,
} from './documents-rows.ts'
import {
  afterPages,
  indexStale,
  markStale,
  rowsAtOnce,
  currentBlocks,
  touchDocument,
} from './documents-search.ts'
import type { DocumentsStore, PageRecord, BlocksOfPage } from './documents-types.ts'

const select = `SELECT g.page, g.version_seq, v.id AS version_id, p.id AS part_id, g.state, g.stands, g.blocks, g.edits, g.raster_width,
    g.raster_height, g.regime, g.layout_picture, g.error
  FROM document_pages g LEFT JOIN document_versions v ON v.seq = g.version_seq LEFT JOIN document_parts p ON p.seq = g.part_seq`

/** Record of a page that no version requested. */
const unasked = (page: number): PageRecord => ({
  page,
  state: 'waiting',
  blocks: 0,
  raster: null,
  error: null,
  versionId: null,
  chosen: false,
  edits: 0,
  regime: null,
  layoutPicture: null,
  partId: null,
})

/** Part of the store for the state of each page and the choice of its version. */
export function pageStore(
  connection: Connection,
  clock: Clock,
): Pick<DocumentsStore, 'pages' | 'choose'> {
  function currentPages(seq: number, first: number, last: number): readonly PageRecord[] {
    const known = connection.get<{ pages: number }>(
      `SELECT max(d.pages, coalesce((SELECT max(page) FROM document_pages WHERE item_seq = d.item_seq), 0)) AS pages
       FROM documents d WHERE item_seq = ?`,
      seq,
    )
    // For a page without a version to show, the row of the newest version shows its progress.
    const shown = new Map<number, PageRow>()
    for (const row of connection.all<PageRow>(
      `${select} WHERE g.item_seq = ? AND g.page BETWEEN ? AND ? ORDER BY g.page, g.version_seq`,
      seq,
      first,
      last,
    )) {
      const other = shown.get(row.page)
      if (!other || other.stands === 0) shown.set(row.page, row)
    }
    const end = Math.min(last, known?.pages ?? 0)
    return Array.from({ length: Math.max(0, end - first + 1) }, (_, at) => {
      const row = shown.get(first + at)
      return row ? toPage(row) : unasked(first + at)
    })
  }

  return {
    pages(id, { first = 1, last = Number.MAX_SAFE_INTEGER, versionId } = {}) {
      const seq = documentSeq(connection, id)
      if (versionId === undefined) return currentPages(seq, first, last)
      const version = requireVersion(connection, versionId)
      if (version.item_seq !== seq)
        throw new AppError('NOT_FOUND', 'The document does not have this version')
      return connection
        .all<PageRow>(
          `${select} WHERE g.version_seq = ? AND g.page BETWEEN ? AND ? ORDER BY g.page`,
          version.seq,
          first,
          last,
        )
        .map(toPage)
    },
    choose(id, pages, versionId) {
      if (pages.length === 0) return
      connection.transaction(() => {
        const seq = documentSeq(connection, id)
        const wanted = JSON.stringify(pages)
        connection.run(
          `UPDATE document_pages SET stands = 1 WHERE item_seq = ? AND page IN (SELECT value FROM json_each(?)) AND stands = 2`,
          seq,
          wanted,
        )
        if (versionId !== null) {
          const { changes } = connection.run(
            `UPDATE document_pages SET stands = 2 WHERE item_seq = ? AND version_seq = ? AND state = 'returned'
               AND page IN (SELECT value FROM json_each(?))`,
            seq,
            requireVersion(connection, versionId).seq,
            wanted,
          )
          if (changes !== new Set(pages).size)
            throw new AppError(
              'REFUSED',
              'Some of these pages have not been returned for this version',
            )
        }
        afterPages(connection, seq, pages, clock())
      })
    },
  }
}

/** Part of the store for blocks and the user's edits of their text. */
export function blockStore(
  connection: Connection,
  clock: Clock,
): Pick<DocumentsStore, 'blocks' | 'block' | 'edit'> {
  const rowOf = (id: string): BlockRow | undefined => {
    const seq = blockSeq(id)
    return seq === null
      ? undefined
      : connection.get<BlockRow>('SELECT * FROM document_blocks WHERE seq = ?', seq)
  }

  return {
    blocks(id, { first = 1, last = Number.MAX_SAFE_INTEGER, versionId } = {}) {
      const seq = documentSeq(connection, id)
      if (versionId === undefined)
        return connection
          .all<BlockRow>(
            `${currentBlocks('b.*')} AND p.page BETWEEN ? AND ? ORDER BY p.page, b.place`,
            seq,
            first,
            last,
          )
          .map(toBlock)
      const version = requireVersion(connection, versionId)
      if (version.item_seq !== seq)
        throw new AppError('NOT_FOUND', 'The document does not have this version')
      return connection
        .all<BlockRow>(
          'SELECT * FROM document_blocks WHERE version_seq = ? AND page BETWEEN ? AND ? ORDER BY page, place',
          version.seq,
          first,
          last,
        )
        .map(toBlock)
    },
    block(id) {
      const row = rowOf(id)
      // A block of a permanently deleted document may still exist for a moment.
      const version =
        row &&
        connection.get<{ id: string }>(
          'SELECT id FROM document_versions WHERE seq = ?',
          row.version_seq,
        )
      return row && version && { ...toBlock(row), versionId: version.id }
    },
    edit(id, block, text) {
      return connection.transaction(() => {
        const seq = documentSeq(connection, id)
        const row = rowOf(block)
        if (row?.item_seq !== seq)
          throw new AppError('NOT_FOUND', 'The document does not have this block')
        const edited = text === row.content ? null : text
        connection.run('UPDATE document_blocks SET edited = ? WHERE seq = ?', edited, row.seq)
        connection.run(
          `UPDATE document_pages SET edits = (SELECT count(edited) FROM document_blocks b
             WHERE b.version_seq = document_pages.version_seq AND b.page = document_pages.page)
           WHERE version_seq = ? AND page = ?`,
          row.version_seq,
          row.page,
        )
        markStale(connection, seq, [row.page])
        indexStale(connection, seq, rowsAtOnce)
        touchDocument(connection, seq, clock())
        return { ...toBlock(row), edited }
      })
    },
  }
}

/** Writes the blocks of a received page, replacing existing ones from the first of them on. */
export function putBlocks(connection: Connection, part: PartRow, page: BlocksOfPage): void {
  connection.run(
    'DELETE FROM document_blocks WHERE version_seq = ? AND page = ? AND place >= ?',
    part.version_seq,
    page.page,
    page.blocks[0]?.order ?? 0,
  )
  for (const block of page.blocks) {
    const [left, top, right, bottom] = block.box ?? [null, null, null, null]
    connection.run(
      `INSERT INTO document_blocks(item_seq, version_seq, page, place, kind, label, native_label, content, box_left, box_top,
         box_right, box_bottom, raw, guessed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      part.item_seq,
      part.version_seq,
      page.page,
      block.order,
      block.kind,
      block.label,
      block.nativeLabel,
      block.content,
      left,
      top,
      right,
      bottom,
      block.raw && JSON.stringify(block.raw),
      block.guessed ? 1 : 0,
    )
  }
}

/** Returns the number of written blocks of a page. */
export const blocksWritten = (connection: Connection, versionSeq: number, page: number): number =>
  connection.get<{ n: number }>(
    'SELECT count(*) AS n FROM document_blocks WHERE version_seq = ? AND page = ?',
    versionSeq,
    page,
  )?.n ?? 0

/**
 * Removes blocks of pages that were not returned: they were written before a response that was never saved.
 */
export const dropStaged = (
  connection: Connection,
  versionSeq: number,
  span: { readonly first: number; readonly last: number },
): void =>
  void connection.run(
    `DELETE FROM document_blocks WHERE version_seq = ? AND page IN (
       SELECT page FROM document_pages WHERE version_seq = ? AND page BETWEEN ? AND ? AND state <> 'returned')`,
    versionSeq,
    versionSeq,
    span.first,
    span.last,
  )
