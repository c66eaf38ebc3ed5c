import type Database from 'better-sqlite3'
import { migrations, type Migration } from './migrations/index.ts'
import { schemaVersion } from './open-file.ts'

/** Returns the schema version this app writes. */
export const supportedVersion = (steps: readonly Migration[] = migrations): number =>
  steps.reduce((highest, step) => Math.max(highest, step.version), 0)

/** Returns the steps a database still needs, oldest first. */
export function pending(
  db: Database.Database,
  steps: readonly Migration[] = migrations,
): readonly Migration[] {
  const version = schemaVersion(db)
  return steps.filter((step) => step.version > version)
}

/**
 * Runs the missing steps. Each sets its version number in the same transaction: a step that throws leaves the database as it
 * was.
 */
export function migrate(db: Database.Database, steps: readonly Migration[] = migrations): void {
  for (const step of pending(db, steps)) {
    db.transaction(() => {
      step.up(db)
      db.pragma(`user_version = ${step.version}`)
    }).immediate()
  }
}
