import type Database from 'better-sqlite3'

const hasFacts = (db: Database.Database): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'library_facts'`).get() !== undefined

/** What the library knows of itself by a key; undefined when it does not, or is of a schema before it did. */
export function fact(db: Database.Database, key: string): string | undefined {
  if (!hasFacts(db)) return undefined
  return db
    .prepare<[string], { value: string }>('SELECT value FROM library_facts WHERE key = ?')
    .get(key)?.value
}

/** Keeps it, when it is not what is kept already. */
export function writeFact(db: Database.Database, key: string, value: string | undefined): void {
  if (value === undefined || !hasFacts(db) || fact(db, key) === value) return
  db.prepare('INSERT OR REPLACE INTO library_facts(key, value) VALUES (?, ?)').run(key, value)
}
