import type Database from 'better-sqlite3'
import type { MeaningKind } from '../../shared/model/semantic.ts'
import type { Connection } from './connection.ts'
import type { MeaningScope } from './semantic-types.ts'

/** An item of a scope, with how it stands in an index. */
export interface ScopeItem {
  readonly seq: number
  readonly kind: MeaningKind
  /** The moment of its last change: what an answer brought after its message was made counts as well. */
  readonly stamp: number
  /** Null when it was not asked for. */
  readonly state: 'waiting' | 'done' | 'failed' | null
  /** The moment of change that its chunks tell; 0 while there are none. */
  readonly known: number
}

/** The moment an item changed last, of the items `i`. */
export const stampSql = `max(i.updated_at, iif(i.kind = 'conversation',
  coalesce((SELECT max(ended_at) FROM messages m WHERE m.item_seq = i.seq), 0), 0))`

/** Items of a scope outside the bin as they stand in an index, oldest first; takes the index, kinds as a JSON list, and the first moment. */
export const scopeSql = `
  SELECT i.seq, i.kind, ${stampSql} AS stamp, s.state, coalesce(s.stamp, 0) AS known
  FROM items i LEFT JOIN semantic_items s ON s.item_seq = i.seq AND s.index_id = ?
  WHERE i.deleted_at IS NULL AND i.kind IN (SELECT value FROM json_each(?)) AND i.created_at >= ?
  ORDER BY i.seq`

/** What {@link scopeSql} takes. */
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

/** Whether what stands in the index is not what the item says now. */
export const isStale = ({ state, stamp, known }: ScopeItem): boolean =>
  state === null || state === 'waiting' || stamp !== known

/**
 * Does a write that changes items without changing what they say, as a new name or a tag: what stands of them in indexes stays as it is,
 * though the moment of their change is another. Within a transaction.
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
