import type Database from 'better-sqlite3'
import type { MeaningKind } from '../../../../shared/model/semantic.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { MeaningScope } from './semantic-types.ts'

/** An item of a scope with its status in an index. */
export interface ScopeItem {
  readonly seq: number
  readonly kind: MeaningKind
  /** Time of its last change, including answers completed after their message was created. */
  readonly stamp: number
  /** Null when it was not requested. */
  readonly state: 'waiting' | 'done' | 'failed' | null
  /** Modification time its chunks reflect; 0 while there are none. */
  readonly known: number
}

/** Time of an item's last change, for the items `i`. */
export const stampSql = `max(i.updated_at, iif(i.kind = 'conversation',
  coalesce((SELECT max(ended_at) FROM messages m WHERE m.item_seq = i.seq), 0), 0))`

/**
 * Items of a scope outside Trash with their status in an index, oldest first; takes the index, kinds as a JSON list, and the
 * start time.
 */
export const scopeSql = `
  SELECT i.seq, i.kind, ${stampSql} AS stamp, s.state, coalesce(s.stamp, 0) AS known
  FROM items i LEFT JOIN semantic_items s ON s.item_seq = i.seq AND s.index_id = ?
  WHERE i.deleted_at IS NULL AND i.kind IN (SELECT value FROM json_each(?)) AND i.created_at >= ?
  ORDER BY i.seq`

/** Returns the parameters of {@link scopeSql}. */
export const scopeValues = (
  indexId: number | null,
  { kinds, since }: MeaningScope,
): [number, string, number] => [indexId ?? 0, JSON.stringify(kinds), since ?? 0]

/** Reads the items of a scope. */
export const scopeItems = (
  db: Database.Database,
  indexId: number | null,
  scope: MeaningScope,
): IterableIterator<ScopeItem> =>
  db.prepare<[number, string, number], ScopeItem>(scopeSql).iterate(...scopeValues(indexId, scope))

/** Returns whether the index does not reflect the current item. */
export const isStale = ({ state, stamp, known }: ScopeItem): boolean =>
  state === null || state === 'waiting' || stamp !== known

/**
 * Performs a write that changes items but not their text, such as a new name or a tag: their chunks in indexes stay valid
 * although the modification time changes. Must be called within a transaction.
 */
export function writeWithoutReindexing(
  connection: Connection,
  itemIds: readonly string[],
  write: () => void,
): void {
  const currentSeqs = connection
    .all<{ seq: number }>(
      `SELECT s.seq FROM items i JOIN semantic_items s ON s.item_seq = i.seq
       WHERE i.id IN (SELECT value FROM json_each(?)) AND s.state = 'done' AND s.stamp = ${stampSql}`,
      JSON.stringify(itemIds),
    )
    .map(({ seq }) => seq)
  write()
  if (currentSeqs.length > 0)
    connection.run(
      `UPDATE semantic_items SET stamp = (SELECT ${stampSql} FROM items i WHERE i.seq = item_seq)
       WHERE seq IN (SELECT value FROM json_each(?))`,
      JSON.stringify(currentSeqs),
    )
}
