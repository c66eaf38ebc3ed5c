import type Database from 'better-sqlite3'
import { AppError } from '../../errors.ts'
import { schemaVersion } from './open-file.ts'
import { recordingsToMeetings } from './recordings-to-meetings.ts'
import { createSchema } from './schema.ts'
import { highlightsSql } from './schema/documents.ts'
import { organizeSql } from './schema/library.ts'
import { indexEarlierTexts } from './search-rows.ts'

/** One step of the schema. Never changed once released; version numbers are multiples of ten. */
export interface Migration {
  readonly version: number
  up(db: Database.Database): void
}

/** The first version that was released. */
const firstVersion = 270

/**
 * All audio is a meeting. Segments store the text that is streaming until their result is, and whether the user dismissed
 * their failure from the list of jobs: it listed recordings only, and earlier failures of other meetings are not news.
 */
function oneKindOfAudio(db: Database.Database): void {
  db.exec(`
    ALTER TABLE meeting_segments ADD COLUMN partial TEXT;
    ALTER TABLE meeting_segments ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0`)
  recordingsToMeetings(db)
  db.exec(`
    UPDATE meeting_segments SET dismissed = 1
      WHERE state = 'failed' AND id <> 'r-' || (SELECT i.id FROM items i WHERE i.seq = item_seq);
    CREATE INDEX meeting_segments_failed ON meeting_segments(item_seq) WHERE state = 'failed' AND dismissed = 0`)
  indexEarlierTexts(db)
}

/** Exports, and archives that are being written, are rows: a restart continues them. */
function fileJobs(db: Database.Database): void {
  db.exec(`
    CREATE TABLE file_jobs (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      request TEXT NOT NULL,
      state TEXT NOT NULL,
      starts INTEGER NOT NULL DEFAULT 0,
      media_id TEXT REFERENCES media(id),
      name TEXT,
      error TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX file_jobs_media ON file_jobs(media_id);
    CREATE TRIGGER file_jobs_used AFTER UPDATE OF media_id ON file_jobs
      WHEN old.media_id IS NULL AND new.media_id IS NOT NULL BEGIN
      UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
    END;
    CREATE TRIGGER file_jobs_unused AFTER DELETE ON file_jobs WHEN old.media_id IS NOT NULL BEGIN
      UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
    END`)
}

/** Meetings remember the title that Lectern gave them, and the titles suggested for it. Those of before have none. */
function suggestedTitles(db: Database.Database): void {
  db.exec(`
    ALTER TABLE meetings ADD COLUMN automatic_title TEXT;
    ALTER TABLE meetings ADD COLUMN title_state TEXT NOT NULL DEFAULT 'none';
    ALTER TABLE meetings ADD COLUMN suggested_titles TEXT;
    CREATE INDEX meetings_untitled ON meetings(item_seq) WHERE title_state = 'wanted'`)
}

/** All steps, oldest first. */
export const migrations: readonly Migration[] = [
  { version: firstVersion, up: createSchema },
  { version: 280, up: oneKindOfAudio },
  { version: 290, up: fileJobs },
  { version: 300, up: (db) => void db.exec(highlightsSql) },
  { version: 310, up: (db) => void db.exec(organizeSql) },
  { version: 320, up: suggestedTitles },
]

/** Returns the schema version this app writes. */
export const supportedVersion = (steps: readonly Migration[] = migrations): number =>
  steps.reduce((highest, step) => Math.max(highest, step.version), 0)

/** Whether a database was written by a test version of Lectern, before the first schema. */
export const isBeforeFirst = (version: number): boolean => version > 0 && version < firstVersion

/** Returns the steps a database still needs, oldest first. Throws DATABASE_TOO_OLD for one before the first schema. */
export function pending(
  db: Database.Database,
  steps: readonly Migration[] = migrations,
): readonly Migration[] {
  const version = schemaVersion(db)
  if (isBeforeFirst(version))
    throw new AppError('DATABASE_TOO_OLD', `The database has version ${version}, before the first`)
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
