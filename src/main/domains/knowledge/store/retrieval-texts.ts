import type Database from 'better-sqlite3'
import { parsed } from '../../../platform/database/json-column.ts'
import {
  type PartTexts,
  type SearchRow,
  rowsPerItem,
  dropSearchRow,
  putSearchRow,
} from '../../../platform/database/search-rows.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/**
 * Searchable texts of a question in a test set: the question, its note, and slices that were rated or found for it.
 */
interface QuestionText {
  readonly id: string
  readonly number: number
  readonly text: string
}

/** Number of characters of a slice, and of slices of a question, that are searched. */
const passageChars = 4000
const maxPassages = 60

const texts = `
  SELECT q.id, q.seq % ${rowsPerItem} AS number, q.text, q.note,
    (SELECT json_group_array(substr(j.text, 1, ${passageChars})) FROM retrieval_judgements j WHERE j.question_seq = q.seq) AS judged,
    (SELECT f.hits FROM retrieval_rows w JOIN retrieval_runs r ON r.seq = w.run_seq
       JOIN retrieval_found f ON f.run_seq = w.run_seq AND f.place = w.place
     WHERE w.question_seq = q.seq AND r.removed_at IS NULL ORDER BY w.run_seq DESC, w.place DESC LIMIT 1) AS found
  FROM retrieval_questions q WHERE q.item_seq = ? AND q.dropped_at IS NULL`

interface Row {
  readonly id: string
  readonly number: number
  readonly text: string
  readonly note: string
  readonly judged: string
  readonly found: string | null
}

/** Reads the questions of a test set, or those of one of its search rows, with the results of their latest run. */
function questionTexts(
  db: Database.Database,
): (seq: number, number?: number) => readonly QuestionText[] {
  const all = db.prepare<[number], Row>(`${texts} ORDER BY number, q.seq`)
  const some = db.prepare<[number, number], Row>(
    `${texts} AND q.seq % ${rowsPerItem} = ? ORDER BY q.seq`,
  )
  return (seq, number) => (number === undefined ? all.all(seq) : some.all(seq, number)).map(toText)
}

function toText({ id, number, text, note, judged: rated, found }: Row): QuestionText {
  const hits = parsed<readonly { readonly text?: unknown }[]>(found) ?? []
  const passages = [
    ...(parsed<readonly string[]>(rated) ?? []),
    ...hits.flatMap((hit) =>
      typeof hit.text === 'string' ? [hit.text.slice(0, passageChars).toWellFormed()] : [],
    ),
  ]
  const parts = [text, note, ...[...new Set(passages)].slice(0, maxPassages)]
  return { id, number, text: parts.filter((part) => part !== '').join('\n') }
}

/** Joins the questions that share a search row into its text. */
const joined = (questions: readonly QuestionText[]): string =>
  questions.map(({ text }) => text).join('\n')

/** Reads all search rows of the test sets among a range of items, for rebuilding the index. */
export function retrievalRows(
  db: Database.Database,
): (from: number, upTo: number) => readonly SearchRow[] {
  const items = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'retrieval' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const read = questionTexts(db)
  return (from, upTo) =>
    items.all(from, upTo).flatMap(({ seq, title }) => {
      const byNumber = Map.groupBy(read(seq), ({ number }) => number)
      const rows = Array.from(byNumber, ([number, questions]): SearchRow => {
        return { seq, number, title, text: joined(questions) }
      })
      return byNumber.has(0) ? rows : [{ seq, number: 0, title, text: '' }, ...rows]
    })
}

/** Returns a reader of the questions behind a test set's search row. */
export function retrievalTexts(db: Database.Database): (row: number) => PartTexts {
  const read = questionTexts(db)
  return (row) => {
    const questions = read(Math.floor(row / rowsPerItem), row % rowsPerItem)
    let start = 0
    const parts = questions.map(({ id, text }) => {
      const part = { id, start }
      start += text.length + 1
      return part
    })
    return { part: null, text: joined(questions), parts }
  }
}

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
