import type {
  Grade,
  HitIdentity,
  Judgement,
  RetrievalSettings,
  TestQuestion,
  TestSet,
  TestSetBrief,
} from '../../../../shared/model/retrieval.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import type { ItemStore } from '../../../library-database/types.ts'
import type { TestSetStore } from './retrieval-types.ts'

interface SetRow {
  readonly seq: number
  readonly id: string
  readonly title: string
  readonly questions: number
  readonly answerable: number
  readonly runs: number
  readonly created_at: number
  readonly updated_at: number
  readonly account_id: string
  readonly settings: string
}

interface QuestionRow {
  readonly seq: number
  readonly id: string
  readonly set_id: string | null
  readonly text: string
  readonly note: string
  readonly judged: number
  readonly relevant: number
}

interface JudgementRow {
  readonly slice_id: string
  readonly text_key: string
  readonly grade: Grade
  readonly text: string
  readonly document_id: string
  readonly document_name: string
}

const selectSets = `SELECT i.seq, i.id, i.title, i.created_at, i.updated_at, s.account_id, s.settings,
  (SELECT count(*) FROM retrieval_questions q WHERE q.item_seq = i.seq AND q.dropped_at IS NULL) AS questions,
  (SELECT count(*) FROM retrieval_questions q WHERE q.item_seq = i.seq AND q.dropped_at IS NULL AND EXISTS
    (SELECT 1 FROM retrieval_judgements j WHERE j.question_seq = q.seq AND j.grade > 0)) AS answerable,
  (SELECT count(*) FROM retrieval_runs r WHERE r.item_seq = i.seq AND r.removed_at IS NULL) AS runs
  FROM retrieval_sets s JOIN items i ON i.seq = s.item_seq`
const selectQuestions = `SELECT q.seq, q.id, q.text, q.note, (SELECT id FROM items WHERE seq = q.item_seq) AS set_id,
  (SELECT count(*) FROM retrieval_judgements j WHERE j.question_seq = q.seq) AS judged,
  (SELECT count(*) FROM retrieval_judgements j WHERE j.question_seq = q.seq AND j.grade > 0) AS relevant
  FROM retrieval_questions q`

/**
 * Store of test sets; the Library's own store creates their items. `settle` is called when a change left search rows to
 * write.
 */
export function testSetStore(
  connection: Connection,
  items: Pick<ItemStore, 'create'>,
  settle: () => void,
): TestSetStore {
  const entries = (seq: number): readonly TestQuestion[] =>
    connection
      .all<QuestionRow>(
        `${selectQuestions} WHERE q.item_seq = ? AND q.dropped_at IS NULL ORDER BY q.seq`,
        seq,
      )
      .map(toQuestion)
  const setRow = (id: string): SetRow | undefined =>
    connection.get<SetRow>(`${selectSets} WHERE i.id = ?`, id)
  const get = (id: string): TestSet | undefined => {
    const row = setRow(id)
    return (
      row && {
        ...toBrief(row),
        accountId: row.account_id,
        settings: JSON.parse(row.settings) as RetrievalSettings,
        entries: entries(row.seq),
      }
    )
  }
  const must = (id: string): TestSet => {
    const set = get(id)
    if (!set) throw new AppError('NOT_FOUND', 'Test set not found')
    return set
  }
  const questionRow = (id: string): QuestionRow => {
    const row = connection.get<QuestionRow>(`${selectQuestions} WHERE q.id = ?`, id)
    if (!row) throw new AppError('NOT_FOUND', 'Question not found')
    return row
  }
  const touch = (seq: number, at: number): void =>
    void connection.run('UPDATE items SET updated_at = ? WHERE seq = ?', at, seq)
  const judgementsOf = (seq: number): readonly Judgement[] =>
    connection
      .all<JudgementRow>(
        'SELECT * FROM retrieval_judgements WHERE question_seq = ? ORDER BY rowid',
        seq,
      )
      .map(toJudgement)

  return {
    create({ id, title, accountId, settings, at }) {
      return connection.transaction(() => {
        items.create({ id, kind: 'retrieval', title, at })
        connection.run(
          'INSERT INTO retrieval_sets(item_seq, account_id, settings) SELECT seq, ?, ? FROM items WHERE id = ?',
          accountId,
          JSON.stringify(settings),
          id,
        )
        return must(id)
      })
    },
    list: () =>
      connection
        .all<SetRow>(
          `${selectSets} WHERE i.deleted_at IS NULL ORDER BY i.created_at DESC, i.seq DESC`,
        )
        .map(toBrief),
    get,
    configure(id, { settings, accountId }, at) {
      return connection.transaction(() => {
        const row = setRow(id)
        if (!row) throw new AppError('NOT_FOUND', 'Test set not found')
        connection.run(
          'UPDATE retrieval_sets SET settings = ?, account_id = ? WHERE item_seq = ?',
          settings ? JSON.stringify(settings) : row.settings,
          accountId ?? row.account_id,
          row.seq,
        )
        touch(row.seq, at)
        return must(id)
      })
    },
    add(setId, { id, text, note }, at) {
      return connection.transaction(() => {
        const row = setRow(setId)
        if (!row) throw new AppError('NOT_FOUND', 'Test set not found')
        connection.run(
          'INSERT INTO retrieval_questions(id, item_seq, text, note) VALUES (?, ?, ?, ?)',
          id,
          row.seq,
          text,
          note,
        )
        touch(row.seq, at)
        settle()
        return toQuestion(questionRow(id))
      })
    },
    byText(setId, text) {
      const row =
        setId === null
          ? connection.get<QuestionRow>(
              `${selectQuestions} WHERE q.text = ? AND q.item_seq IS NULL ORDER BY q.seq DESC LIMIT 1`,
              text,
            )
          : connection.get<QuestionRow>(
              `${selectQuestions} WHERE q.text = ? AND q.item_seq = (SELECT seq FROM items WHERE id = ?)
               AND q.dropped_at IS NULL LIMIT 1`,
              text,
              setId,
            )
      return row && toQuestion(row)
    },
    addStandalone({ id, text }) {
      connection.run('INSERT INTO retrieval_questions(id, text) VALUES (?, ?)', id, text)
      return toQuestion(questionRow(id))
    },
    question(id) {
      const row = connection.get<QuestionRow>(`${selectQuestions} WHERE q.id = ?`, id)
      return row && toQuestion(row)
    },
    edit(id, { text, note }) {
      return connection.transaction(() => {
        const before = questionRow(id)
        connection.run(
          'UPDATE retrieval_questions SET text = ?, note = ? WHERE seq = ?',
          text ?? before.text,
          note ?? before.note,
          before.seq,
        )
        settle()
        return toQuestion(questionRow(id))
      })
    },
    drop(ids, at) {
      connection.run(
        'UPDATE retrieval_questions SET dropped_at = ? WHERE item_seq IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
        at,
        JSON.stringify(ids),
      )
      settle()
    },
    judgements: (questionId) => judgementsOf(questionRow(questionId).seq),
    judgementsOfRun(runId, from, limit) {
      const rows = connection.all<JudgementRow & { readonly question_id: string }>(
        `SELECT q.id AS question_id, j.slice_id, j.text_key, j.grade FROM retrieval_judgements j
         JOIN retrieval_questions q ON q.seq = j.question_seq
         WHERE j.question_seq IN (SELECT question_seq FROM retrieval_rows
           WHERE run_seq = (SELECT seq FROM retrieval_runs WHERE id = ?) AND place >= ? AND place < ?)
         ORDER BY j.question_seq, j.rowid`,
        runId,
        from,
        from + limit,
      )
      const byQuestion = new Map<string, (HitIdentity & { readonly grade: Grade })[]>()
      for (const { question_id: id, slice_id: sliceId, text_key: textKey, grade } of rows) {
        const known = byQuestion.get(id)
        if (known) known.push({ sliceId, textKey, grade })
        else byQuestion.set(id, [{ sliceId, textKey, grade }])
      }
      return byQuestion
    },
    rate(questionId, passage, grade) {
      return connection.transaction(() => {
        const { seq } = questionRow(questionId)
        const known = connection.get<JudgementRow>(
          `SELECT * FROM retrieval_judgements WHERE question_seq = ?
           AND slice_id || text_key <> '' AND (slice_id = nullif(?, '') OR text_key = nullif(?, ''))
           ORDER BY slice_id = ? DESC LIMIT 1`,
          seq,
          passage.sliceId,
          passage.textKey,
          passage.sliceId,
        )
        const [sliceId, textKey] = known
          ? [known.slice_id, known.text_key]
          : [passage.sliceId, passage.textKey]
        if (grade === null)
          connection.run(
            'DELETE FROM retrieval_judgements WHERE question_seq = ? AND slice_id = ? AND text_key = ?',
            seq,
            sliceId,
            textKey,
          )
        else
          connection.run(
            `INSERT INTO retrieval_judgements(question_seq, slice_id, text_key, grade, text, document_id, document_name)
             VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT(question_seq, slice_id, text_key) DO UPDATE SET grade = excluded.grade`,
            seq,
            sliceId,
            textKey,
            grade,
            passage.text,
            passage.documentId,
            passage.documentName,
          )
        settle()
        return judgementsOf(seq)
      })
    },
  }
}

const toBrief = (row: SetRow): TestSetBrief => ({
  id: row.id,
  title: row.title,
  questions: row.questions,
  answerable: row.answerable,
  runs: row.runs,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const toQuestion = ({
  id,
  set_id: setId,
  text,
  note,
  judged,
  relevant,
}: QuestionRow): TestQuestion => ({
  id,
  setId,
  text,
  note,
  judged,
  relevant,
})

const toJudgement = (row: JudgementRow): Judgement => ({
  sliceId: row.slice_id,
  textKey: row.text_key,
  grade: row.grade,
  text: row.text,
  documentId: row.document_id,
  documentName: row.document_name,
})
