import type Database from 'better-sqlite3'

const hasFacts = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'library_facts'`).get() !== undefined

/** Returns a metadata value of the library by key; undefined when there is none or the schema is older. */
export function fact(db: Database.Database, key: string): string | undefined {
  if (!hasFacts(db)) return undefined
  return db
    .prepare<[string], { value: string }>('SELECT value FROM library_facts WHERE key = ?')
    .get(key)?.value
}

/** Saves a metadata value if it changed. */
export function writeFact(db: Database.Database, key: string, value: string | undefined): void {
  if (value === undefined || !hasFacts(db) || fact(db, key) === value) return
  db.prepare('INSERT OR REPLACE INTO library_facts(key, value) VALUES (?, ?)').run(key, value)
}
