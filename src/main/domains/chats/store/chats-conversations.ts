import type { Conversation } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import {
  selectConversations,
  toConversation,
  type ConversationRow,
} from './chats-conversation-rows.ts'
import { mediaOf } from './chats-media.ts'
import { conversationSeq, responderOf } from './chats-rows.ts'
import type { ChatStore, NewConversation } from './chats-types.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { findsFew } from '../../../platform/database/finds-few.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'
import { writeWithoutReindexing } from '../../../platform/database/semantic-stamp.ts'

/** Finds a chat by its ID, including temporary ones. */
function findConversation(connection: Connection, id: string): Conversation | undefined {
  const row = connection.get<ConversationRow>(`${selectConversations} WHERE i.id = ?`, id)
  return row && toConversation(row)
}

/** Returns a chat by its ID. Throws NOT_FOUND. */
export function requireConversation(connection: Connection, id: string): Conversation {
  const found = findConversation(connection, id)
  if (!found) throw new AppError('NOT_FOUND', 'Chat not found')
  return found
}

/** Inserts a chat without messages, with a reserved number or a new one. Returns its number. */
export function insertConversation(
  connection: Connection,
  made: NewConversation,
  reservedSeq: number | null = null,
): number {
  const { lastId: seq } = connection.run(
    `INSERT INTO items(seq, id, kind, title, folder_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    reservedSeq,
    made.id,
    made.temporary ? 'temporary' : 'conversation',
    made.title,
    made.folderId,
    made.at,
    made.at,
  )
  connection.run(
    `INSERT INTO conversations(item_seq, settings, who, account_id, account_name, last_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    seq,
    JSON.stringify(made.settings),
    responderOf(made.settings),
    made.accountId,
    made.accountName,
    made.at,
  )
  if (!made.temporary) putSearchRow(connection, { seq, number: 0, title: made.title, text: '' })
  return seq
}

/** Replaces the tags of a chat. */
export function putTags(connection: Connection, seq: number, tags: readonly string[]): void {
  connection.run('DELETE FROM item_tags WHERE item_seq = ?', seq)
  for (const tag of tags)
    connection.run('INSERT OR IGNORE INTO item_tags(item_seq, tag) VALUES (?, ?)', seq, tag)
}

/** Part of the store for chats without their messages. */
export function conversationStore(
  connection: Connection,
): Pick<ChatStore, 'list' | 'get' | 'create' | 'configure' | 'rename' | 'saveDraft' | 'temporary'> {
  const requireFolder = (id: string): void => {
    if (!connection.get(`SELECT 1 FROM folders WHERE id = ? AND kind = 'conversation'`, id))
      throw new AppError('NOT_FOUND', 'Folder not found')
  }

  return {
    list: (query) => listOf(connection, query),
    get: (id) => findConversation(connection, id),
    create(conversation) {
      return connection.transaction(() => {
        if (conversation.folderId !== null) requireFolder(conversation.folderId)
        insertConversation(connection, conversation)
        return requireConversation(connection, conversation.id)
      })
    },
    configure(id, { settings, accountId, accountName, at }) {
      return connection.transaction(() => {
        const seq = conversationSeq(connection, id)
        connection.run(
          'UPDATE conversations SET settings = ?, who = ?, account_id = ?, account_name = ? WHERE item_seq = ?',
          JSON.stringify(settings),
          responderOf(settings),
          accountId,
          accountName,
          seq,
        )
        connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', at, seq)
        return requireConversation(connection, id)
      })
    },
    rename(id, title, at) {
      return connection.transaction(() => {
        const seq = conversationSeq(connection, id)
        writeWithoutReindexing(connection, [id], () => {
          connection.run('UPDATE items SET title = ?, updated_at = ? WHERE seq = ?', title, at, seq)
        })
        const renamed = requireConversation(connection, id)
        if (!renamed.temporary) putSearchRow(connection, { seq, number: 0, title, text: '' })
        return renamed
      })
    },
    saveDraft(id, draft) {
      connection.transaction(() => {
        const seq = conversationSeq(connection, id)
        connection.run(
          'UPDATE conversations SET draft = ? WHERE item_seq = ?',
          draft && JSON.stringify(draft),
          seq,
        )
        connection.run('DELETE FROM draft_media WHERE item_seq = ?', seq)
        for (const mediaId of mediaOf(draft?.attachments ?? []))
          connection.run(
            'INSERT OR IGNORE INTO draft_media(item_seq, media_id) SELECT ?, id FROM media WHERE id = ?',
            seq,
            mediaId,
          )
      })
    },
    temporary: () =>
      connection
        .all<{ id: string }>(`SELECT id FROM items WHERE kind = 'temporary' ORDER BY seq`)
        .map((row) => row.id),
  }
}

/**
 * Returns a page of the list: ordered by newest message, starred chats first. Chats in the Trash are ordered by the time
 * of their deletion. Temporary chats are in no list.
 */
function listOf(
  connection: Connection,
  query: Parameters<ChatStore['list']>[0],
): ReturnType<ChatStore['list']> {
  const wanted = query.limit + 1
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const rows: ConversationRow[] = []
  // No index contains stars and times of messages: starred chats are few, and collected first.
  for (const isStarred of query.bin ? [null] : [true, false]) {
    if (isStarred === false && query.starred) continue
    const isBefore = isStarred === true && after !== null && after[0] === 0
    if (isBefore || rows.length === wanted) continue
    const isSame = after !== null && (isStarred === null || after[0] === Number(isStarred))
    rows.push(...pageOf(connection, query, isStarred, isSame ? after : null, wanted - rows.length))
  }
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const { where, values } = filtersOf(connection, query, null)
  return {
    conversations: page.map(toConversation),
    next: rows.length > query.limit && last ? cursorOf(last, query.bin) : null,
    total: countOf(connection, query, where, values),
  }
}

/** Returns rows in order, starred or not, or in Trash (null). */
function pageOf(
  connection: Connection,
  query: Parameters<ChatStore['list']>[0],
  isStarred: boolean | null,
  after: Cursor | null,
  limit: number,
): readonly ConversationRow[] {
  const { where, values, isFew } = filtersOf(connection, query, isStarred)
  const key = query.bin ? 'i.deleted_at' : 'c.last_at'
  // Few chats are collected and sorted, instead of scanning all in order.
  const order = `ORDER BY ${isFew ? '+' : ''}${key} DESC, c.item_seq DESC`
  // The columns of a row are read once its place is known.
  return connection.all<ConversationRow>(
    `${selectConversations} WHERE c.item_seq IN (
       SELECT c.item_seq FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq ${where}
       ${after ? `AND (${key}, c.item_seq) < (?, ?)` : ''} ${order} LIMIT ?)
     ORDER BY ${key} DESC, c.item_seq DESC`,
    ...values,
    ...(after ? [after[1], after[2]] : []),
    limit,
  )
}

/** Maximum count of chats in a filtered list: the exact number of more is not needed. */
const maxCounted = 1000

/** Returns the stored count if nothing is filtered, because counting many rows is slow. */
function countOf(
  connection: Connection,
  query: Parameters<ChatStore['list']>[0],
  where: string,
  values: readonly Value[],
): number {
  const row =
    values.length === 0 && !query.starred && query.folderId === undefined && connection.writable
      ? connection.get<{ n: number }>(
          `SELECT n FROM item_counts WHERE kind = 'conversation' AND binned = ?`,
          query.bin ? 1 : 0,
        )
      : connection.get<{ n: number }>(
          `SELECT count(*) AS n FROM (SELECT 1 FROM conversations c CROSS JOIN items i ON i.seq = c.item_seq ${where} LIMIT ${maxCounted})`,
          ...values,
        )
  return row?.n ?? 0
}

/** Returns the condition of a query; with `isFew`, it finds its rows by an index of items. `isStarred`: null for any. */
function filtersOf(
  connection: Connection,
  query: Parameters<ChatStore['list']>[0],
  isStarred: boolean | null,
): { readonly where: string; readonly values: readonly Value[]; readonly isFew: boolean } {
  const filters = [
    `i.kind = 'conversation'`,
    query.bin ? 'i.deleted_at IS NOT NULL' : 'i.deleted_at IS NULL',
  ]
  const values: Value[] = []
  let isFew = false
  const among = (items: string, ...more: Value[]): void => {
    const few = findsFew(connection, items, ...more)
    // With the sign, no index of the rows is used, and the list is scanned in order.
    filters.push(`${few ? '' : '+'}c.item_seq IN (${items})`)
    values.push(...more)
    isFew ||= few
  }
  if (query.starred && query.bin) filters.push('i.starred = 1')
  else if (isStarred === true || query.starred)
    among('SELECT seq FROM items WHERE starred = 1 AND deleted_at IS NULL')
  if (isStarred === false) filters.push('i.starred = 0')
  if (query.folderId === null) filters.push('i.folder_id IS NULL')
  else if (query.folderId !== undefined)
    among('SELECT seq FROM items WHERE folder_id = ?', query.folderId)
  if (query.tag !== undefined) among('SELECT item_seq FROM item_tags WHERE tag = ?', query.tag)
  if (query.who !== undefined) {
    filters.push('c.who = ?')
    values.push(query.who)
  }
  return { where: `WHERE ${filters.join(' AND ')}`, values, isFew }
}

/** Whether the last row is starred, its time, and its number. */
type Cursor = readonly [starred: number, at: number, seq: number]

const cursorOf = (row: ConversationRow, bin: boolean): string =>
  bin
    ? `0.${row.deleted_at ?? 0}.${row.item_seq}`
    : `${row.starred === 0 ? 0 : 1}.${row.last_at}.${row.item_seq}`

function readCursor(cursor: string): Cursor {
  const match = /^([01])\.(-?\d{1,16})\.(\d{1,16})$/.exec(cursor)
  if (!match) throw new AppError('BAD_REQUEST', 'Invalid list cursor')
  return [Number(match[1]), Number(match[2]), Number(match[3])]
}
