import { retentionDays } from '../retention-days.ts'
import type { State } from '../state.ts'

/** Stored Response: its object (service-notes 13) and its input. */
export interface StoredResponse {
  readonly id: string
  /** The Response object as JSON. */
  readonly body: string
  /** Input items as JSON, in their original order, each with its ID. */
  readonly items: readonly { readonly id: string; readonly item: string }[]
  /** Unix milliseconds. */
  readonly createdAt: number
}

interface Row {
  readonly id: string
  readonly body: string
  readonly items: string
  readonly createdAt: number
}

/** Opens the table `responses` and removes expired ones. `clock`: Unix milliseconds. */
export function responseStore(state: State, clock: () => number) {
  state.exec(`CREATE TABLE IF NOT EXISTS responses (
    id TEXT PRIMARY KEY, body TEXT NOT NULL, items TEXT NOT NULL, created_at INTEGER NOT NULL
  ) STRICT`)
  state
    .prepare('DELETE FROM responses WHERE created_at <= ?')
    .run(clock() - retentionDays.responses * 24 * 3600 * 1000)
  return {
    add: ({ id, body, items, createdAt }: StoredResponse) =>
      void state
        .prepare('INSERT INTO responses VALUES (?, ?, ?, ?)')
        .run(id, body, JSON.stringify(items), createdAt),
    get(id: string): StoredResponse | undefined {
      const row = state
        .prepare<[string], Row>(
          'SELECT id, body, items, created_at AS createdAt FROM responses WHERE id = ?',
        )
        .get(id)
      return row && { ...row, items: JSON.parse(row.items) as StoredResponse['items'] }
    },
    /** Returns false if it did not exist. */
    remove: (id: string) =>
      state.prepare('DELETE FROM responses WHERE id = ?').run(id).changes === 1,
  }
}
