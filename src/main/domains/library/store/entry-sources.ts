import { itemKinds } from '../../../../shared/model/library.ts'
import type { EntryKind, EntryOwner } from '../../../../shared/model/library-entry.ts'
import { itemKindSql } from '../../../platform/database/recordings-to-meetings.ts'
import { tables } from '../../../platform/database/schema.ts'
import type { Entry, Table } from '../../../platform/database/schema/table.ts'

/** One table `t` shown in the Library. Ranks order rows of different tables with the same time. */
export interface EntrySource {
  readonly table: string
  readonly rank: number
  readonly kinds: readonly EntryKind[]
  readonly from: string
  /** id, kind, title, account, state and owner: ownerKind, ownerId, ownerAt. */
  readonly columns: string
  readonly id: string
  /** Columns that identify a row in two libraries. */
  readonly identity: readonly string[]
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

function other(table: string, entry: Entry, merge: Table['merge']): EntrySource {
  const { rank, kinds, id = 't.id', title = 't.title' } = entry
  const { account = 't.account_name', state = 't.state' } = entry
  const compared = typeof merge === 'object' && 'same' in merge ? merge.same : undefined
  const kind = kinds.length === 1 ? `'${kinds[0] ?? ''}'` : 't.kind'
  const [ownerKind, ownerId, ownerAt] = entry.owner ?? ['NULL', 'NULL', 'NULL']
  return {
    table,
    rank,
    kinds,
    id,
    identity: entry.identity ?? compared?.map((column) => `t.${column}`) ?? [id],
    from: entry.from,
    columns: `${id} AS id, ${kind} AS kind, ${title} AS title, ${account} AS account, ${state} AS state,
      ${ownerKind} AS ownerKind, ${ownerId} AS ownerId, ${ownerAt} AS ownerAt`,
    at: entry.at ?? 't.created_at',
    place: entry.place ?? 't.seq',
    title,
    kind: kinds.length === 1 ? '' : 't.kind',
    where: entry.where ?? 'true',
    text: entry.text ?? `''`,
  }
}

/** All tables; items come first since they have an index of their own. */
export const sources: readonly EntrySource[] = [
  {
    table: 'items',
    rank: 0,
    kinds: itemKinds,
    from: 'items t',
    columns: `t.id, ${itemKindSql('t')} AS kind, t.title, '' AS account, NULL AS state, NULL AS ownerKind, NULL AS ownerId, NULL AS ownerAt`,
    id: 't.id',
    identity: ['t.id'],
    at: 't.created_at',
    place: 't.seq',
    title: 't.title',
    kind: 't.kind',
    where: `t.deleted_at IS NULL AND t.kind <> 'temporary'`,
    text: `''`,
  },
  ...tables
    .flatMap(({ name, entry, merge }) => (entry ? [other(name, entry, merge)] : []))
    .toSorted((a, b) => a.rank - b.rank),
]

/** Returns the tables that a library has: one that could not be migrated may lack some. */
export function sourcesIn(
  all: (sql: string) => readonly { readonly name: string }[],
): readonly EntrySource[] {
  const names = new Set(
    all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(({ name }) => name),
  )
  return sources.filter(({ table }) => names.has(table))
}

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
