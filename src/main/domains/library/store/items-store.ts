import type { ItemPage } from '../../../../shared/contract/library.ts'
import type { DocumentBrief, VersionState } from '../../../../shared/model/document.ts'
import type { ItemKind, ItemSummary } from '../../../../shared/model/library.ts'
import { AppError } from '../../../errors.ts'
import { conversationBriefOf } from '../../chats/store/index.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { briefOf } from '../../audio/store/index.ts'
import { searchKinds } from './search-kinds.ts'
import { itemKindSql } from '../../../platform/database/recordings-to-meetings.ts'
import { findsFew } from '../../../platform/database/finds-few.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'
import { writeWithoutReindexing } from '../../../platform/database/semantic-stamp.ts'
import { speechBriefOf } from '../../voices/store/index.ts'
import type { ItemStore } from '../../../library-database/types.ts'

interface ItemRow {
  readonly seq: number
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  readonly excerpt: string
  readonly media_id: string | null
  readonly duration: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly starred: number
  readonly folder_id: string | null
  readonly tags: string
}

const select = `
  SELECT i.seq, i.id, ${itemKindSql('i')} AS kind, i.title, i.excerpt, i.media_id, m.duration, i.created_at, i.updated_at,
    i.deleted_at, i.starred, i.folder_id,
    (SELECT json_group_array(tag) FROM item_tags WHERE item_seq = i.seq) AS tags
  FROM items i LEFT JOIN media m ON m.id = i.media_id`
const listed = 'SELECT value FROM json_each(?)'
/** Temporary chats are in no list, count or Trash; they have their own store. */
const notTemporary = `i.kind <> 'temporary'`

/**
 * Store of Library items. The list is newest first; Trash is ordered by deletion time. `settle` is called when a large item
 * left work to do.
 */
export function itemStore(connection: Connection, settle: () => void = () => undefined): ItemStore {
  const toSummary = (row: ItemRow): ItemSummary => {
    const meeting = row.kind === 'meeting' ? briefOf(connection, row.seq) : null
    const speech = row.kind === 'speech' ? speechBriefOf(connection, row.seq) : null
    const durationMs = meeting?.durationMs ?? speech?.durationMs ?? null
    return {
      id: row.id,
      kind: row.kind,
      title: row.title,
      excerpt: row.excerpt,
      duration: durationMs === null ? row.duration : durationMs / 1000,
      meeting,
      document: row.kind === 'document' ? documentBriefOf(connection, row.seq) : null,
      conversation: row.kind === 'conversation' ? conversationBriefOf(connection, row.seq) : null,
      speech,
      starred: row.starred !== 0,
      folderId: row.folder_id,
      tags: JSON.parse(row.tags) as readonly string[],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      deletedAt: row.deleted_at,
    }
  }
  const row = (id: string): ItemRow | undefined =>
    connection.get<ItemRow>(`${select} WHERE i.id = ? AND ${notTemporary}`, id)

  /** Returns kinds as JSON, with those that they had before the migrations that a read-only library may lack. */
  const storedKinds = (kinds: readonly ItemKind[]): string =>
    JSON.stringify(
      !connection.writable && kinds.includes('meeting') ? [...kinds, 'recording'] : kinds,
    )

  function count(bin: boolean, kinds: readonly ItemKind[] | undefined): number {
    // Counting some 200,000 items takes longer than a frame. A read-only library may be older than the stored counts.
    const sql = connection.writable
      ? `SELECT coalesce(sum(n), 0) AS n FROM item_counts WHERE binned = ? AND kind <> 'temporary' AND (? IS NULL OR kind IN (${listed}))`
      : `SELECT count(*) AS n FROM items i WHERE (deleted_at IS NOT NULL) = ? AND ${notTemporary} AND (? IS NULL OR kind IN (${listed}))`
    const among = kinds ? storedKinds(kinds) : null
    return connection.get<{ n: number }>(sql, bin ? 1 : 0, among, among)?.n ?? 0
  }

  function list(query: Parameters<ItemStore['list']>[0]): ItemPage {
    const key = query.bin ? 'deleted_at' : 'created_at'
    const isStarredFirst = query.starredFirst === true && !query.bin
    const filters = [notTemporary, query.bin ? 'i.deleted_at IS NOT NULL' : 'i.deleted_at IS NULL']
    const values: Value[] = []
    const only = (sql: string, ...more: Value[]): void => {
      filters.push(sql)
      values.push(...more)
    }
    if (query.kinds) only('i.kind IN (SELECT value FROM json_each(?))', storedKinds(query.kinds))
    if (query.starred) only('i.starred = 1')
    if (query.folderId === null) only('i.folder_id IS NULL')
    else if (query.folderId !== undefined) only('i.folder_id = ?', query.folderId)
    const tagged = 'SELECT item_seq FROM item_tags WHERE tag = ?'
    // Items of a rare tag are collected and sorted; otherwise all are scanned in order. The sign prevents the other way.
    const isFew = query.tag !== undefined && findsFew(connection, tagged, query.tag)
    if (query.tag !== undefined) only(`${isFew ? '' : '+'}i.seq IN (${tagged})`, query.tag)
    const total = count(query.bin, query.kinds)
    const keys = isStarredFirst ? ['i.starred', `i.${key}`, 'i.seq'] : [`i.${key}`, 'i.seq']
    if (query.cursor !== undefined)
      only(
        `(${keys.join(', ')}) < (${keys.map(() => '?').join(', ')})`,
        ...readCursor(query.cursor, keys.length),
      )
    const rows = connection.all<ItemRow>(
      `${select} WHERE ${filters.join(' AND ')} ORDER BY ${keys.map((each) => `${isFew ? '+' : ''}${each} DESC`).join(', ')} LIMIT ?`,
      ...values,
      query.limit + 1,
    )
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    const end = last && [...(isStarredFirst ? [last.starred] : []), last[key] ?? 0, last.seq]
    return {
      items: page.map(toSummary),
      next: rows.length > query.limit && end ? end.join('.') : null,
      total,
    }
  }

  return {
    list,
    create(item) {
      connection.transaction(() => {
        const { lastId } = connection.run(
          'INSERT INTO items(id, kind, title, media_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
          item.id,
          item.kind,
          item.title,
          item.mediaId ?? null,
          item.at,
          item.at,
        )
        putSearchRow(connection, { seq: lastId, number: 0, title: item.title, text: '' })
      })
    },
    summary(id) {
      const found = row(id)
      return found && toSummary(found)
    },
    rename(id, title, at) {
      connection.transaction(() => {
        const found = row(id)
        if (!found) throw new AppError('NOT_FOUND', 'Item not found')
        writeWithoutReindexing(connection, [id], () => {
          connection.run('UPDATE items SET title = ?, updated_at = ? WHERE id = ?', title, at, id)
        })
        if (searchKinds[found.kind].renamed(connection, { seq: found.seq, title })) settle()
      })
    },
    remove(ids, at) {
      connection.run(
        `UPDATE items AS i SET deleted_at = ? WHERE deleted_at IS NULL AND ${notTemporary} AND id IN (${listed})`,
        at,
        JSON.stringify(ids),
      )
    },
    restore(ids, at) {
      connection.transaction(() =>
        writeWithoutReindexing(connection, ids, () => {
          connection.run(
            `UPDATE items SET deleted_at = NULL, updated_at = ? WHERE deleted_at IS NOT NULL AND id IN (${listed})`,
            at,
            JSON.stringify(ids),
          )
        }),
      )
    },
    purge(ids) {
      return connection.transaction(() => {
        const wanted = JSON.stringify(ids)
        // Files released by the rows deleted with an item (takes, samples, page images): unused now
        // but used before.
        const unused = (): readonly { readonly id: string }[] =>
          connection.all<{ id: string }>('SELECT id FROM media WHERE uses = 0')
        const before = new Set(unused().map(({ id }) => id))
        connection.run(`DELETE FROM items WHERE id IN (${listed})`, wanted)
        settle()
        return unused()
          .map(({ id }) => id)
          .filter((id) => !before.has(id))
      })
    },
    binnedBefore(at) {
      return connection
        .all<{ id: string }>(
          'SELECT id FROM items WHERE deleted_at < ? ORDER BY deleted_at, seq',
          at,
        )
        .map((each) => each.id)
    },
  }
}

/** Returns the sort keys of the last row of a page; throws BAD_REQUEST for the cursor of another list. */
function readCursor(cursor: string, keys: number): readonly number[] {
  const read = cursor.split('.')
  if (read.length !== keys || !read.every((key) => /^-?\d{1,16}$/.test(key)))
    throw new AppError('BAD_REQUEST', 'Invalid list cursor')
  return read.map(Number)
}

interface BriefRow {
  readonly pages: number
  readonly locked: number
  readonly state: VersionState | null
  readonly asked: number
  readonly returned: number
  readonly failed: number
  readonly waiting: number
  readonly cancelled: number
}

/** Returns the list entry of a document, reading two rows by their numbers. Null if it no longer exists. */
function documentBriefOf(connection: Connection, seq: number): DocumentBrief | null {
  const row = connection.get<BriefRow>(
    `SELECT d.pages, d.locked, v.state, v.asked, v.returned, v.failed, v.waiting, v.cancelled
     FROM documents d LEFT JOIN document_versions v ON v.item_seq = d.item_seq
       AND v.number = (SELECT max(number) FROM document_versions WHERE item_seq = d.item_seq)
     WHERE d.item_seq = ?`,
    seq,
  )
  if (!row) return null
  const { asked, returned, failed, waiting, cancelled } = row
  return {
    pages: row.pages,
    locked: row.locked !== 0,
    state: row.state,
    counts: row.state === null ? null : { asked, returned, failed, waiting, cancelled },
  }
}
