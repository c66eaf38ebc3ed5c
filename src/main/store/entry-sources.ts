import type { ItemKind } from '../../shared/model/library.ts'
import type { EntryKind, OtherKind } from '../../shared/model/library-entry.ts'

/** One table of what the Library shows, `t`. Ranks order rows of one moment between tables. */
export interface EntrySource {
  readonly rank: number
  readonly kinds: readonly EntryKind[]
  readonly from: string
  readonly columns: string
  readonly at: string
  readonly place: string
  readonly title: string
  readonly kind: string
  readonly where: string
  /** What is searched beside the title, an expression: pieces of JSON whose strings count and whose names do not; what is long is cut, in the middle of a string too. */
  readonly text: string
}

/** Characters of one column that are searched. */
const searched = 100_000

const part = (column: string): string => `substr(coalesce(${column}, ''), 1, ${searched})`
const quoted = (column: string): string => `json_quote(${column})`
/** Pieces of JSON one after the other, a line each. */
const joined = (...parts: readonly string[]): string =>
  parts.map((one) => `coalesce(${one}, '')`).join(` || char(10) || `)

const itemKinds: readonly ItemKind[] = [
  'recording',
  'meeting',
  'document',
  'conversation',
  'voice',
  'speech',
  'retrieval',
]

const other = (
  rank: number,
  kinds: readonly OtherKind[],
  rest: Partial<EntrySource>,
): EntrySource => ({
  rank,
  kinds,
  from: '',
  columns: `t.id, ${kinds.length === 1 ? `'${kinds[0]}'` : 't.kind'} AS kind, t.title, t.account_name AS account, t.state`,
  at: 't.created_at',
  place: 't.seq',
  title: 't.title',
  kind: '',
  where: 'true',
  text: `''`,
  ...rest,
})

/** A task is called what it was asked for; until that is known, what makes it. */
const taskTitle = `coalesce(nullif(t.title, ''), t.model, t.kind, t.task_id)`

/** Every table of it; items, which have an index of their own, first. */
export const sources: readonly EntrySource[] = [
  {
    rank: 0,
    kinds: itemKinds,
    from: 'items t',
    columns: `t.id, t.kind, t.title, '' AS account, NULL AS state`,
    at: 't.created_at',
    place: 't.seq',
    title: 't.title',
    kind: 't.kind',
    where: `t.deleted_at IS NULL AND t.kind <> 'temporary'`,
    text: `''`,
  },
  other(1, ['run'], {
    from: 'runs t',
    text: joined(
      'json_quote(t.operation)',
      part('t.input'),
      `(SELECT ${part('r.value')} FROM run_results r WHERE r.run_id = t.id)`,
    ),
  }),
  other(2, ['task'], {
    from: 'tasks t',
    columns: `t.id, 'task' AS kind, ${taskTitle} AS title, t.account_name AS account, t.state`,
    place: 't.rowid',
    where: 't.removed_at IS NULL',
    title: taskTitle,
    text: joined(
      'json_quote(t.task_id)',
      `(SELECT ${part('r.body')} FROM replies r WHERE r.id = t.reply_id)`,
    ),
  }),
  other(3, ['response', 'slides'], {
    from: 'lookups t',
    kind: 't.kind',
    where: 't.removed_at IS NULL',
    text: joined(...['t.remote_id', 't.asked', part('t.words')].map(quoted)),
  }),
  other(4, ['ranking'], {
    from: 'rankings t',
    where: 't.removed_at IS NULL',
    text: joined(
      quoted('t.query'),
      `(SELECT json_group_array(substr(c.text, 1, 2000)) FROM (SELECT text FROM ranking_candidates WHERE ranking_id = t.id ORDER BY place LIMIT 200) c)`,
    ),
  }),
  other(6, ['embedding'], { from: 'embedding_runs t', where: 't.removed_at IS NULL' }),
  other(5, ['base'], {
    from: 'knowledge_bases t LEFT JOIN accounts a ON a.id = t.account_id',
    columns: `t.id, 'base' AS kind, t.name AS title, coalesce(a.name, '') AS account, NULL AS state`,
    at: 't.first_seen_at',
    place: 't.rowid',
    title: 't.name',
    text: joined(
      quoted('t.description'),
      `(SELECT json_group_array(d.name) FROM (SELECT name FROM knowledge_documents WHERE account_id = t.account_id AND base_id = t.id ORDER BY place LIMIT 2000) d)`,
    ),
  }),
]
