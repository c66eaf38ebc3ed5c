import type Database from 'better-sqlite3'
import { migrations, type Migration } from './migrations/index.ts'
import { schemaVersion } from './open-file.ts'

/** The version this app writes. */
export const supportedVersion = (steps: readonly Migration[] = migrations): number =>
  steps.reduce((highest, step) => Math.max(highest, step.version), 0)

/** Steps a database still needs, oldest first. */
export function pending(
  db: Database.Database,
  steps: readonly Migration[] = migrations,
): readonly Migration[] {
  const version = schemaVersion(db)
  return steps.filter((step) => step.version > version)
}

/** Runs the missing steps, each with its version number in one transaction: a step that throws leaves the database as it was before it. */
export function migrate(db: Database.Database, steps: readonly Migration[] = migrations): void {
  for (const step of pending(db, steps)) {
    db.transaction(() => {
      step.up(db)
      db.pragma(`user_version = ${step.version}`)
    }).immediate()
  }
}
