import type { Connection } from '../../../platform/database/connection.ts'
import { joined, questionTexts } from './retrieval-texts.ts'
import { dropSearchRow, putSearchRow } from '../../../platform/database/search-rows.ts'

/** Search rows written in one step: a few milliseconds. */
const rowsPerStep = 10

/** Writes some of the outdated search rows of test sets; returns false when none is left. */
export function settleRetrieval(connection: Connection): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const rows = connection.all<{ seq: number; number: number }>(
      'SELECT item_seq AS seq, number FROM retrieval_unindexed ORDER BY item_seq DESC, number LIMIT ?',
      rowsPerStep,
    )
    const read = connection.use(questionTexts)
    for (const { seq, number } of rows) {
      connection.run(
        'DELETE FROM retrieval_unindexed WHERE item_seq = ? AND number = ?',
        seq,
        number,
      )
      const item = connection.get<{ title: string }>('SELECT title FROM items WHERE seq = ?', seq)
      const questions = item ? read(seq, number) : []
      // The first row exists even without questions, for the title.
      if (!item || (questions.length === 0 && number > 0)) dropSearchRow(connection, seq, number)
      else putSearchRow(connection, { seq, number, title: item.title, text: joined(questions) })
    }
    return rows.length > 0
  })
}
