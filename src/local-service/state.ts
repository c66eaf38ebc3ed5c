import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** The service's own database of uploads and results, kept across restarts. Not the Library. */
export type State = Database.Database

/**
 * Opens `state.db` in the folder, creating it when missing. Each family creates its own tables, all with `IF NOT EXISTS`.
 */
export function openState(folder: string): State {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const state = new Database(join(folder, 'state.db'))
  state.pragma('journal_mode = WAL')
  state.pragma('synchronous = NORMAL')
  state.pragma('foreign_keys = ON')
  return state
}
