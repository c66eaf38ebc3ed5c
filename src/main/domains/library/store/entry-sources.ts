import type { ItemKind } from '../../../../shared/model/library.ts'
import type { EntryKind, EntryOwner, OtherKind } from '../../../../shared/model/library-entry.ts'

/** One table `t` shown in the Library. Ranks order rows of different tables with the same time. */
export interface EntrySource {
  readonly rank: number
  readonly kinds: readonly EntryKind[]
  readonly from: string
  /** id, kind, title, account, state and owner: ownerKind, ownerId, ownerAt. */
  readonly columns: string
  readonly id: string
  readonly at: string
  readonly place: string
  readonly title: string
  readonly kind: string
  readonly where: string
  /**
   * SQL expression of the text searched in addition to the title: JSON fragments whose strings are searched and whose keys
   * are not; long ones are truncated, even within a string.
   */
  readonly text: string
}

/** Number of characters searched in one column. */
const searched = 100_000

const part = (column: string): string => `substr(coalesce(${column}, ''), 1, ${searched})`
const quoted = (column: string): string => `json_quote(${column})`
/** Joins JSON fragments, one per line. */
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

/** The title of a task is its input, or its model until that is known. */
const taskTitle = `coalesce(nullif(t.title, ''), t.model, t.kind, t.task_id)`

interface EntryColumns {
  readonly from: string
  readonly id?: string
  readonly kind?: string
  readonly title?: string
  readonly account?: string
  readonly state?: string
  readonly owner?: readonly [kind: string, id: string, at: string]
  readonly at?: string
  readonly place?: string
  readonly where?: string
  readonly text?: string
}

function other(rank: number, kinds: readonly OtherKind[], spec: EntryColumns): EntrySource {
  const { id = 't.id', title = 't.title', account = 't.account_name', state = 't.state' } = spec
  const kind = kinds.length === 1 ? `'${kinds[0] ?? ''}'` : 't.kind'
  const [ownerKind, ownerId, ownerAt] = spec.owner ?? ['NULL', 'NULL', 'NULL']
  return {
    rank,
    kinds,
    id,
    from: spec.from,
    columns: `${id} AS id, ${kind} AS kind, ${title} AS title, ${account} AS account, ${state} AS state,
      ${ownerKind} AS ownerKind, ${ownerId} AS ownerId, ${ownerAt} AS ownerAt`,
    at: spec.at ?? 't.created_at',
    place: spec.place ?? 't.seq',
    title,
    kind: kinds.length === 1 ? '' : 't.kind',
    where: spec.where ?? 'true',
    text: spec.text ?? `''`,
  }
}

const named = { account: `coalesce(a.name, '')`, place: 't.rowid', at: 't.first_seen_at' }
const ofAccount = 'LEFT JOIN accounts a ON a.id = t.account_id'

/** All tables; items come first since they have an index of their own. */
export const sources: readonly EntrySource[] = [
  {
    rank: 0,
    kinds: itemKinds,
    from: 'items t',
    columns: `t.id, t.kind, t.title, '' AS account, NULL AS state, NULL AS ownerKind, NULL AS ownerId, NULL AS ownerAt`,
    id: 't.id',
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
    title: taskTitle,
    text: joined(
      'json_quote(t.task_id)',
      `(SELECT ${part('r.body')} FROM replies r WHERE r.id = t.reply_id)`,
    ),
    place: 't.rowid',
    where: 't.removed_at IS NULL',
  }),
  other(3, ['response', 'slides'], {
    from: 'lookups t',
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
  other(5, ['base'], {
    ...named,
    from: `knowledge_bases t ${ofAccount}`,
    title: 't.name',
    state: 'NULL',
    text: joined(
      quoted('t.description'),
      `(SELECT json_group_array(d.name) FROM (SELECT name FROM knowledge_documents WHERE account_id = t.account_id AND base_id = t.id ORDER BY place LIMIT 2000) d)`,
    ),
  }),
  other(6, ['embedding'], { from: 'embedding_runs t', where: 't.removed_at IS NULL' }),
  other(7, ['source'], {
    ...named,
    from: `knowledge_documents t ${ofAccount}`,
    title: 't.name',
    owner: [`'base'`, 't.base_id', 't.id'],
  }),
  other(8, ['upload'], {
    from: `knowledge_uploads t ${ofAccount}`,
    title: 't.name',
    account: named.account,
    owner: [`'base'`, 't.base_id', 't.document_id'],
  }),
  other(9, ['question'], {
    from: 'retrieval_runs t',
    title: `coalesce(nullif(t.question, ''), t.title)`,
    where: 't.item_seq IS NULL AND t.removed_at IS NULL',
    text: `coalesce((SELECT group_concat(substr(f.hits, 1, ${searched}), char(10)) FROM (SELECT hits FROM retrieval_found WHERE run_seq = t.seq LIMIT 20) f), '')`,
  }),
  other(10, ['slices'], {
    from: 'slice_lookups t',
    title: `t.request_id || ' ' || t.node_id`,
    text: part('t.data'),
    where: 't.removed_at IS NULL',
  }),
  other(11, ['listed'], {
    ...named,
    from: `voices t ${ofAccount}`,
    id: 't.voice',
    title: 't.name',
    state: 'NULL',
  }),
  other(12, ['picture'], {
    from: `message_media t CROSS JOIN messages m ON m.seq = t.message_seq CROSS JOIN items i ON i.seq = m.item_seq`,
    id: 't.media_id',
    title: 'i.title',
    account: `''`,
    state: 'NULL',
    owner: [`'conversation'`, 'i.id', 'm.id'],
    at: 'm.created_at',
    place: 't.rowid',
    where: `m.role = 'assistant' AND i.deleted_at IS NULL AND i.kind <> 'temporary'`,
  }),
  other(13, ['file'], {
    from: `kept_files t CROSS JOIN media f ON f.id = t.media_id LEFT JOIN tasks k ON k.id = t.owner_id
      LEFT JOIN lookups l ON l.id = substr(t.owner_id, 1, instr(t.owner_id, '/') - 1) ${ofAccount}`,
    id: 't.media_id',
    title: 't.name',
    account: named.account,
    state: 'NULL',
    owner: [
      `CASE WHEN k.id IS NULL THEN l.kind ELSE 'task' END`,
      'coalesce(k.id, l.id)',
      `t.role || t.place`,
    ],
    at: 'f.created_at',
    // Pages of decks and covers of videos are shown with their owner.
    where: `t.role NOT IN ('page', 'cover') AND coalesce(k.id, l.id) IS NOT NULL
      AND coalesce(k.removed_at, l.removed_at) IS NULL`,
  }),
]

/** Owner columns of a row. */
export interface OwnerColumns {
  readonly ownerKind: string | null
  readonly ownerId: string | null
  readonly ownerAt: string | null
}

/** Converts the columns to the owner type of the page. */
export function ownerOf({ ownerKind, ownerId, ownerAt }: OwnerColumns): EntryOwner | null {
  if (ownerKind === null || ownerId === null) return null
  // The sources write these kinds.
  return { kind: ownerKind as EntryOwner['kind'], id: ownerId, at: ownerAt }
}
