import Database from 'better-sqlite3'
import type { NamedItems, ItemName } from '../../../../shared/model/archive.ts'
import type { OtherKind } from '../../../../shared/model/library-entry.ts'
import { compareLibraries, compareRows, newerItems, type MergeCounts } from './archive-merge.ts'
import { sources, type EntrySource } from '../store/entry-sources.ts'
import { openReadOnly } from '../../../platform/database/open-file.ts'

/** Content of two libraries of one kind. */
interface KindSides {
  readonly kind: string
  readonly there: number
  readonly here: number
  readonly onlyThere: number
}

/** Two libraries compared, with everything that the Library lists. */
interface Sides {
  readonly kinds: readonly KindSides[]
  readonly onlyThere: NamedItems
  readonly onlyHere: NamedItems
}

/** Maximum number of titles to report. */
const maxNames = 5

interface Row extends ItemName {
  readonly key: string
}

/**
 * Compares two open libraries item by item, using the identity of each kind; `hidden` treats removed items here as
 * existing.
 */
export function sideBySide(
  there: Database.Database,
  here: Database.Database,
  {
    hidden = false,
    without = [],
  }: { readonly hidden?: boolean; readonly without?: readonly OtherKind[] } = {},
): Sides {
  const kinds = new Map<string, { there: number; here: number; onlyThere: number }>()
  const of = (kind: string): { there: number; here: number; onlyThere: number } => {
    const numbers = kinds.get(kind) ?? { there: 0, here: 0, onlyThere: 0 }
    kinds.set(kind, numbers)
    return numbers
  }
  const onlyThere = newestNames()
  const onlyHere = newestNames()
  for (const source of sources) {
    if (source.kinds.some((kind) => without.some((one) => one === kind))) continue
    const left = new Map<string, ItemName>()
    for (const { key, ...thing } of rowsOf(there, source, false)) {
      of(thing.kind).there += 1
      left.set(key, thing)
    }
    for (const { key, ...thing } of rowsOf(here, source, hidden)) {
      of(thing.kind).here += 1
      if (!left.delete(key)) onlyHere.take(thing)
    }
    for (const thing of left.values()) {
      of(thing.kind).onlyThere += 1
      onlyThere.take(thing)
    }
  }
  return {
    kinds: [...kinds].map(([kind, numbers]) => ({ kind, ...numbers })),
    onlyThere: onlyThere.read(),
    onlyHere: onlyHere.read(),
  }
}

/** Includes items in the Trash, because they can be restored. */
function* rowsOf(db: Database.Database, source: EntrySource, hidden: boolean): Iterable<Row> {
  const where = source.rank === 0 ? `t.kind <> 'temporary'` : hidden ? 'true' : source.where
  const order = source.rank === 0 ? 'ORDER BY t.kind' : ''
  let rows: Database.Statement<[], Row>
  try {
    rows = db.prepare<[], Row>(
      `SELECT json_array(${source.identity.join(', ')}) AS key, ${source.columns}, ${source.at} AS at
       FROM ${source.from} WHERE ${where} ${order}`,
    )
  } catch (error) {
    // A library of an earlier version does not have these items yet.
    if (error instanceof Database.SqliteError && /no such (table|column)/.test(error.message))
      return
    throw error
  }
  for (const { key, id, kind, title, at } of rows.iterate()) yield { key, id, kind, title, at }
}

/** Counts items and keeps the newest few. */
function newestNames(): { take(thing: ItemName): void; read(): NamedItems } {
  let first: ItemName[] = []
  let count = 0
  const newest = (): ItemName[] => first.toSorted((a, b) => b.at - a.at).slice(0, maxNames)
  return {
    take(thing) {
      count += 1
      first.push(thing)
      if (first.length > 50 * maxNames) first = newest()
    },
    read: () => ({ count, first: newest() }),
  }
}

/**
 * Preview of importing a database: counts by kind, and the first titles of new items and of items that replace existing
 * ones.
 */
export interface Comparison {
  readonly kinds: MergeCounts
  readonly added: NamedItems
  readonly newer: NamedItems
}

/**
 * Compares an unpacked database of the current schema with the library. Images of answers and files of tasks
 * belong to their items, and so do notes and summaries; highlights of documents are counted, but not named. Blocks: for workers.
 */
export function compareArchive(database: string, from: string): Comparison {
  const items = compareItems(database, from)
  const there = openReadOnly(from)
  const here = openReadOnly(database)
  try {
    there.pragma('trusted_schema = OFF')
    const sides = sideBySide(there, here, {
      hidden: true,
      without: ['picture', 'file', 'highlight', 'note', 'summary'],
    })
    const others = sides.kinds.filter(
      ({ kind, there: n }) => n > 0 && !Object.hasOwn(items.kinds, kind),
    )
    return {
      kinds: {
        ...items.kinds,
        ...Object.fromEntries(
          others.map(({ kind, there: all, onlyThere }) => [
            kind,
            { added: onlyThere, newer: 0, known: all - onlyThere },
          ]),
        ),
      },
      added: sides.onlyThere,
      newer: items.newer,
    }
  } finally {
    there.close()
    here.close()
  }
}

function compareItems(
  database: string,
  from: string,
): { readonly kinds: MergeCounts; readonly newer: NamedItems } {
  const db = new Database(':memory:')
  try {
    db.pragma('trusted_schema = OFF')
    db.prepare('ATTACH ? AS here').run(database)
    db.prepare('ATTACH ? AS src').run(from)
    const kinds = compareLibraries(db, 'here')
    const count = Object.values(kinds).reduce((sum, { newer }) => sum + newer, 0)
    return {
      kinds: { ...kinds, ...compareRows(db, 'here') },
      newer: { count, first: newerItems(db, 'here', maxNames) },
    }
  } finally {
    db.close()
  }
}
