import type { Connection } from './connection.ts'

/** Time of an item's last change, for the items `i`. */
export const stampSql = `max(i.updated_at, iif(i.kind = 'conversation',
  coalesce((SELECT max(ended_at) FROM messages m WHERE m.item_seq = i.seq), 0), 0))`

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
