import { AppError } from '../errors.ts'
import {
  selectConversations,
  toConversation,
  type ConversationRow,
} from './chats-conversation-rows.ts'
import type { ChatStore } from './chats-types.ts'
import type { Connection, Value } from './connection.ts'

/**
 * Returns a page of the list: ordered by newest message, pinned chats first. Chats in the Trash are ordered by the time
 * of their deletion. Temporary chats are in no list.
 */
export function listOf(
  connection: Connection,
  query: Parameters<ChatStore['list']>[0],
): ReturnType<ChatStore['list']> {
  const { where, values } = filtersOf(query)
  const total = countOf(connection, query, where, values)
  const key = query.bin ? ['(i.deleted_at IS NULL)', 'i.deleted_at'] : ['c.pinned', 'c.last_at']
  const after = query.cursor === undefined ? '' : `AND (${key.join(', ')}, c.item_seq) < (?, ?, ?)`
  const rows = connection.all<ConversationRow>(
    `${selectConversations} ${where} ${after} ORDER BY ${key.join(' DESC, ')} DESC, c.item_seq DESC LIMIT ?`,
    ...values,
    ...(query.cursor === undefined ? [] : readCursor(query.cursor)),
    query.limit + 1,
  )
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  return {
    conversations: page.map(toConversation),
    next: rows.length > query.limit && last ? cursorOf(last, query.bin) : null,
    total,
  }
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
    values.length === 0 && connection.writable
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

function filtersOf(query: Parameters<ChatStore['list']>[0]): {
  readonly where: string
  readonly values: readonly Value[]
} {
  const filters = [
    `i.kind = 'conversation'`,
    query.bin ? 'i.deleted_at IS NOT NULL' : 'i.deleted_at IS NULL',
  ]
  const values: Value[] = []
  const only = (sql: string, value: string | undefined): void => {
    if (value === undefined) return
    filters.push(sql)
    values.push(value)
  }
  only('c.folder_id = ?', query.folderId)
  only('c.who = ?', query.who)
  only('EXISTS (SELECT 1 FROM item_tags WHERE item_seq = c.item_seq AND tag = ?)', query.tag)
  return { where: `WHERE ${filters.join(' AND ')}`, values }
}

const cursorOf = (row: ConversationRow, bin: boolean): string =>
  bin
    ? `0.${row.deleted_at ?? 0}.${row.item_seq}`
    : `${row.pinned_at === null ? 0 : 1}.${row.last_at}.${row.item_seq}`

function readCursor(cursor: string): readonly [number, number, number] {
  const match = /^([01])\.(-?\d{1,16})\.(\d{1,16})$/.exec(cursor)
  if (!match) throw new AppError('BAD_REQUEST', 'Invalid list cursor')
  return [Number(match[1]), Number(match[2]), Number(match[3])]
}
