import type Database from 'better-sqlite3'
import type { OtherKind } from '../../../../shared/model/library-entry.ts'
import type { FileCategory } from '../../../../shared/model/storage.ts'
import type { Json } from './json.ts'

/** Row that a row belongs to: `column` contains the integer key of a row of `table` or, with `by`, its ID. */
interface Owner {
  readonly column: string
  readonly table: string
  readonly by?: 'id'
  /** Rows without an owner are imported as well with a whole library, if their ID does not exist here yet. */
  readonly alone?: true
}

/**
 * Which rows to copy from another library. IDs are random: the same ID is the same object. Either those of an imported
 * owner, or independent rows whose `same` columns do not exist here yet.
 */
export type Merge = ({ readonly of: Owner } | { readonly same: readonly string[] }) & {
  /** Restricts the imported rows, as a condition on `t`. */
  readonly where?: string
  /**
   * Independent rows: those imported with a selection, as a condition on `t`. Without it, they are imported only with a
   * whole library.
   */
  readonly selection?: string
  /**
   * Rows of an item: column with the time of their last change. The rows of an item that both libraries contain are merged
   * by their own ID and time, whichever version of the item is kept. Without it, they follow their item.
   */
  readonly changedAt?: string
}

/**
 * Work that must not continue in another library, since it would be paid for again: after an `import`, nothing is sent or
 * downloaded; after a `restore` of an older backup, only work that the provider cannot report on is stopped. Expressions
 * of SQL; `left` is the error of such work.
 */
export interface Reset {
  readonly after: readonly ('import' | 'restore')[]
  readonly set: string
  readonly where: string
}

/** How the rows of a table are listed and searched in the Library. Expressions on `t`, with the defaults of `other`. */
export interface Entry {
  /** Order of tables whose rows have the same time. */
  readonly rank: number
  /** Several kinds are distinguished by the column `kind`. */
  readonly kinds: readonly OtherKind[]
  readonly from: string
  readonly id?: string
  readonly title?: string
  readonly account?: string
  readonly state?: string
  readonly owner?: readonly [kind: string, id: string, at: string]
  readonly at?: string
  readonly place?: string
  readonly where?: string
  /** Text searched in addition to the title, see {@link fragments} for its form. */
  readonly text?: string
  /** Identity of a row in two libraries; the columns that a merge compares when absent. */
  readonly identity?: readonly string[]
}

/** Columns with the name and the time (Unix ms) of a file, and its type. */
export interface LostFile {
  readonly name?: string
  readonly at?: string
  readonly mime?: string
}

/** What SQL does not say about a table. */
export interface Table {
  /**
   * How its rows get into another library. `first`: items and files, which everything else refers to. `local`: of this
   * computer. `cache`: can be fetched again and is not archived. `derived`: rebuilt from other tables, even in a damaged
   * library.
   */
  readonly merge: Merge | 'first' | 'local' | 'cache' | 'derived'
  /** Columns of merged tables that refer to its integer key `seq`. */
  readonly references?: readonly string[]
  /** Columns with a fixed set of values; no version writes any other, so an archive with another one is rejected. */
  readonly values?: Readonly<Record<string, readonly string[]>>
  readonly json?: Readonly<Record<string, Json>>
  readonly reset?: readonly Reset[]
  /** Whether the current rows stay when a backup is restored. */
  readonly staysOnRestore?: true
  /**
   * Foreign keys to `media`, with what is known about a file whose own row could not be read: it may still exist.
   */
  readonly files?: Readonly<Record<string, LostFile>>
  /** Columns that count a file as used without a foreign key to `media`. */
  readonly countedFiles?: readonly string[]
  /**
   * Column with the number of the row that owns it. No foreign key deletes its rows with their owner, which may have thousands:
   * they follow in steps.
   */
  readonly deletedInSteps?: string
  /** Category of its files for the user, if it is not that of its domain. */
  readonly category?: FileCategory
  /** Whether its files (`media_id`) came from a provider, or which, as the rest of the query after the table’s name. */
  readonly received?: true | string
  /** Whether a row of a partly readable table (`excluded`) replaces an intact one; every row does when absent. */
  readonly preferred?: string
  readonly entry?: Entry
}

/** Tables of one domain. */
export interface Domain {
  /** Statements of the first schema that create its tables, indexes and triggers; migrations change them. */
  readonly sql: string
  /** Category of its files for the user. */
  readonly category: FileCategory
  /** In the order of references: owners first. */
  readonly tables: Readonly<Record<string, Table>>
  /**
   * Tables of the first schema that a migration removed, owners first: only read from a damaged library, which is migrated
   * afterwards.
   */
  readonly former?: Readonly<Record<string, Pick<Table, 'preferred'>>>
  /**
   * Statements that recompute the counts that triggers and stores maintain for single rows; for rows that were written in bulk
   * or replaced.
   */
  readonly counts?: string
  /** Makes the rest of a damaged library readable, after all readable rows were copied. */
  repair?(db: Database.Database): void
}

/** Returns all values of a union type; the compiler requires each of them and no others. */
export const values = <T extends string>(all: Readonly<Record<T, 1>>): readonly string[] =>
  Object.keys(all)

/** Rows of an item. */
export const ofItem = { of: { column: 'item_seq', table: 'items' } } as const
/** Independent rows with an ID, of which a selection contains the chosen ones. */
export const chosen = { same: ['id'], selection: 't.id IN (SELECT id FROM temp.wanted)' } as const
/** Rows that a selection contains as far as their condition allows. */
export const named = 'true'

/** Error of work that was unfinished in another library. */
export const left = `json_object('code', 'LEFT_UNFINISHED', 'message', 'It was running on another computer',
  'retriable', json('true'), 'at', CAST(unixepoch('subsec') * 1000 AS INTEGER))`
export const onImport = (set: string, where: string): Reset => ({ after: ['import'], set, where })
export const onRestore = (set: string, where: string): Reset => ({ after: ['restore'], set, where })
export const inAnyCase = (set: string, where: string): Reset => ({
  after: ['import', 'restore'],
  set,
  where,
})

/** Stops downloads that are given up with an error. */
export const givenUp: readonly Reset[] = [
  onImport(
    `given_up = 1, next_try_at = NULL, error = coalesce(error, ${left})`,
    'media_id IS NULL',
  ),
]
/** Stops downloads of images with a state. */
export const stoppedImages: readonly Reset[] = [
  onImport(`state = 'failed', next_try_at = NULL, error = ${left}`, `state = 'waiting'`),
]

/** Number of characters searched in one column. */
export const searched = 100_000
/** Beginning of a column. */
export const beginning = (column: string): string =>
  `substr(coalesce(${column}, ''), 1, ${searched})`
/**
 * Joins JSON fragments, one per line: their strings are searched and their keys are not; long ones are truncated, even
 * within a string.
 */
export const fragments = (...parts: readonly string[]): string =>
  parts.map((one) => `coalesce(${one}, '')`).join(` || char(10) || `)
export const quoted = (column: string): string => `json_quote(${column})`

/** Objects that a provider lists: named by their account, and listed by the time they were first seen. */
export const ofAccount = 'LEFT JOIN accounts a ON a.id = t.account_id'
export const accountName = `coalesce(a.name, '')`
export const firstSeen = { account: accountName, place: 't.rowid', at: 't.first_seen_at' } as const
