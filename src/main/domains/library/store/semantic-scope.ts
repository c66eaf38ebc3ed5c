import type Database from 'better-sqlite3'
import type { MeaningKind } from '../../../../shared/model/semantic.ts'
import type { MeaningScope } from './semantic-types.ts'
import { stampSql } from '../../../platform/database/semantic-stamp.ts'

/** An item of a scope with its status in an index. */
interface ScopeItem {
  readonly seq: number
  readonly kind: MeaningKind
  /** Time of its last change, including answers completed after their message was created. */
  readonly stamp: number
  /** Null when it was not requested. */
  readonly state: 'waiting' | 'done' | 'failed' | null
  /** Modification time its chunks reflect; 0 while there are none. */
  readonly known: number
}

/**
 * Items of a scope outside Trash with their status in an index, oldest first; takes the index, kinds as a JSON list, and the
 * start time.
 */
export const scopeSql = scopeSqlWhere('')
/** The same for items from one number (exclusive) to another. */
export const scopeRangeSql = scopeSqlWhere('AND i.seq > ? AND i.seq <= ?')

function scopeSqlWhere(range: string): string {
  return `
  SELECT i.seq, i.kind, ${stampSql} AS stamp, s.state, coalesce(s.stamp, 0) AS known
  FROM items i LEFT JOIN semantic_items s ON s.item_seq = i.seq AND s.index_id = ?
  WHERE i.deleted_at IS NULL AND i.kind IN (SELECT value FROM json_each(?)) AND i.created_at >= ? ${range}
  ORDER BY i.seq`
}

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
