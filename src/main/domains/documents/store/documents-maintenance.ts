import type { Connection } from '../../../platform/database/connection.ts'
import { deletedInSteps } from '../../../platform/database/schema.ts'
import { documents } from '../../../platform/database/schema/documents.ts'
import { indexStale } from './documents-search.ts'
import { rowsPerItem } from '../../../platform/database/search-rows.ts'

/** Rows deleted and search rows written per step: takes a few milliseconds. */
const rowsPerStep = 500
const searchRowsPerStep = 2
const sweptSearchRows = 40

/** Columns with the number of what was deleted permanently, by its kind. */
const columns = { version: 'version_seq', part: 'part_seq', item: 'item_seq' } as const

/**
 * Runs one cleanup step after large changes: updates outdated search rows, deletes rows of permanently deleted
 * documents. Returns false if nothing is left.
 */
export function settleDocuments(connection: Connection): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => indexOne(connection) || sweepOne(connection))
}

function indexOne(connection: Connection): boolean {
  const stale = connection.get<{ seq: number }>(
    'SELECT item_seq AS seq FROM document_stale ORDER BY item_seq DESC LIMIT 1',
  )
  return stale !== undefined && indexStale(connection, stale.seq, searchRowsPerStep) > 0
}

function sweepOne(connection: Connection): boolean {
  const left = connection.get<{ kind: keyof typeof columns; seq: number }>(
    'SELECT kind, seq FROM document_leftovers LIMIT 1',
  )
  if (!left) return false
  const column = columns[left.kind]
  for (const table of deletedInSteps(documents, column))
    if (sweepRows(connection, table, column, left.seq)) return true
  if (left.kind === 'item' && sweepSearch(connection, left.seq)) return true
  connection.run('DELETE FROM document_leftovers WHERE kind = ? AND seq = ?', left.kind, left.seq)
  return true
}

/** Deletes some rows; returns false if none were left. */
function sweepRows(connection: Connection, table: string, column: string, seq: number): boolean {
  const row = table === 'document_stale' ? 'number' : 'rowid'
  const { changes } = connection.run(
    `DELETE FROM ${table} WHERE ${column} = ? AND ${row} IN (SELECT ${row} FROM ${table} WHERE ${column} = ? LIMIT ?)`,
    seq,
    seq,
    rowsPerStep,
  )
  return changes > 0
}

function sweepSearch(connection: Connection, seq: number): boolean {
  const rows = connection.all<{ row: number }>(
    'SELECT rowid AS row FROM search_text WHERE rowid >= ? AND rowid < ? LIMIT ?',
    BigInt(seq * rowsPerItem),
    BigInt((seq + 1) * rowsPerItem),
    sweptSearchRows,
  )
  for (const { row } of rows) connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(row))
  return rows.length > 0
}
