import type Database from 'better-sqlite3'
import { parsed } from './meetings-rows.ts'
import type { PartTexts } from './search-meetings.ts'
import { rowsPerItem, type SearchRow } from './search-numbers.ts'

/** A question of a test set with what stands behind it in the search: its words, its note, passages that were judged or found for it. */
export interface QuestionText {
  readonly id: string
  readonly number: number
  readonly text: string
}

/** Characters of a passage, and passages of a question, that are searched. */
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

/** Reads the questions of a set, or those behind one search row of it: with what the run that looked them up last found. */
export function questionTexts(
  db: Database.Database,
): (seq: number, number?: number) => readonly QuestionText[] {
  // A library of an older schema, only looked at, is found by the titles of its sets.
  const knows = db
    .prepare("SELECT 1 FROM pragma_table_info('retrieval_runs') WHERE name = 'removed_at'")
    .get()
  if (knows === undefined) return () => []
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

/** Questions that share a search row, as its text. */
export const joined = (questions: readonly QuestionText[]): string =>
  questions.map(({ text }) => text).join('\n')

/** All search rows of the test sets among a range of items, for an index that is built anew. */
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

/** Reads the questions behind a test set's search row. */
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
