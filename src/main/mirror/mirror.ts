import type { Connection } from '../platform/database/connection.ts'

/**
 * A running request for a list or an item of the provider. Changes made since it began are newer than its response: what
 * was created, changed or deleted here in the meantime, and what a later request returned.
 */
export interface Fetch {
  /** Call after the response is saved, or when there is none. */
  end(): void
}

/** Where the rows of one kind of remote item are stored. `Scope` names the list, for example account and knowledge base. */
interface MirrorTable<Row, Scope extends readonly string[]> {
  idOf(row: Row): string
  /** Saves a row as present. `place` orders the list; a known row keeps its own unless `moves`. */
  put(
    scope: Scope,
    row: Row,
    how: { readonly place: number; readonly moves: boolean; readonly at: number },
  ): void
  /** Returns the smallest place of a list, null if it is empty. */
  firstPlace(scope: Scope): number | null
  /** Returns the IDs that are not marked as gone. */
  present(scope: Scope): readonly string[]
  /** Marks one that the provider no longer lists. */
  markGone(scope: Scope, id: string, at: number): void
  /** Saves when the whole list was fetched. */
  setListedAt(scope: Scope, at: number): void
}

/** The local copy of a remote list: what was listed once stays, and is marked when the provider no longer has it. */
export interface Mirror<Row, Scope extends readonly string[]> {
  /** Call before the request is sent, and save its response with the result. */
  begin(): Fetch
  /**
   * Saves rows, except those that are newer here than in the response. In a `whole` list, rows that it does not contain are
   * marked as gone; otherwise new rows come before the others, because providers list the newest first. Returns the IDs
   * that are gone now.
   */
  save(
    scope: Scope,
    rows: readonly Row[],
    at: number,
    options: { readonly whole: boolean; readonly fetch?: Fetch | undefined },
  ): readonly string[]
  /** Runs `change` for those that are not newer here than in the response, and records that they changed. */
  change(
    scope: Scope,
    ids: readonly string[],
    fetch: Fetch | undefined,
    change: (id: string) => void,
  ): void
}

export function createMirror<Row, Scope extends readonly string[]>(
  connection: Connection,
  table: MirrorTable<Row, Scope>,
): Mirror<Row, Scope> {
  // In start order: a response is newer than those of earlier requests.
  const open = new Map<Fetch, Set<string>>()
  const keyOf = (scope: Scope, id: string): string => [...scope, id].join('\n')
  const isOutdated = (fetch: Fetch | undefined, scope: Scope, id: string): boolean =>
    fetch !== undefined && (open.get(fetch)?.has(keyOf(scope, id)) ?? false)

  const change: Mirror<Row, Scope>['change'] = (scope, ids, by, apply) => {
    for (const id of ids) {
      if (isOutdated(by, scope, id)) continue
      apply(id)
      for (const [fetch, changed] of open) {
        if (fetch === by) break
        changed.add(keyOf(scope, id))
      }
    }
  }

  return {
    begin() {
      const fetch: Fetch = { end: () => void open.delete(fetch) }
      open.set(fetch, new Set())
      return fetch
    },
    change,
    save(scope, rows, at, { whole, fetch }) {
      return connection.transaction(() => {
        const first = whole ? 0 : (table.firstPlace(scope) ?? 0) - rows.length
        const listed = new Map(rows.map((row, n) => [table.idOf(row), { row, place: first + n }]))
        change(scope, [...listed.keys()], fetch, (id) => {
          const found = listed.get(id)
          if (found) table.put(scope, found.row, { place: found.place, moves: whole, at })
        })
        if (!whole) return []
        const gone: string[] = []
        const missing = table.present(scope).filter((id) => !listed.has(id))
        change(scope, missing, fetch, (id) => {
          table.markGone(scope, id, at)
          gone.push(id)
        })
        table.setListedAt(scope, at)
        return gone
      })
    },
  }
}
