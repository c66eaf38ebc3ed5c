import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '../../../../../src/main/domains/library/archive/archive-migrate.ts'
import { storePaths } from '../../../../../src/main/platform/database/paths.ts'
import { fillLibrary } from '../../../../fixtures/full-library.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

let root: string
let serial = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-calm-'))
  fillLibrary({ home: root, random: randomFrom(3), each: 1, bytes: 50 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Returns a library changed by `sql`, as it is after import from an archive. */
function migrated(sql: string): Database.Database {
  const database = join(root, `${(serial += 1)}.db`)
  copyFileSync(storePaths(root).database, database)
  const db = new Database(database)
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
  migrateDatabase(database)
  return new Database(database)
}

/** States that continue automatically at a start, by table: state in the archive, state after import. */
const open: readonly (readonly [table: string, there: string, here: string])[] = [
  ['messages', 'queued', 'done'],
  ['messages', 'waiting', 'done'],
  ['meeting_segments', 'pending', 'failed'],
  ['meeting_segments', 'inflight', 'failed'],
  ['document_parts', 'queued', 'cancelled'],
  ['document_parts', 'sent', 'cancelled'],
  ['document_pages', 'waiting', 'cancelled'],
  ['document_pushes', 'sending', 'failed'],
  ['document_pushes', 'working', 'failed'],
  ['speech_pieces', 'queued', 'stale'],
  ['speech_pieces', 'checking', 'done'],
  ['retrieval_rows', 'waiting', 'stopped'],
  ['retrieval_runs', 'running', 'stopped'],
  ['embedding_sets', 'running', 'waiting'],
  ['embedding_runs', 'running', 'cancelled'],
  ['rankings', 'running', 'broken'],
  ['tasks', 'processing', 'refused'],
  ['tasks', 'waiting', 'refused'],
  ['lookups', 'watching', 'over'],
  ['slice_lookups', 'asking', 'done'],
  ['slice_pictures', 'waiting', 'failed'],
  ['knowledge_pictures', 'waiting', 'failed'],
]

test.each(open)('changes %s that were %s in an archive to %s', (table, there, here) => {
  const db = migrated(`UPDATE ${table} SET state = '${there}'`)
  const states = db.prepare(`SELECT DISTINCT state FROM ${table}`).pluck().all()
  db.close()
  expect(states).toEqual([here])
})

test('does not resume tracking of remote items automatically', () => {
  const db = migrated(
    `UPDATE lookups SET state = 'watching', next_poll_at = 5, fetched_at = iif(seq % 2 = 0, 1, NULL)`,
  )
  const rows = db.prepare('SELECT state, fetched_at, next_poll_at, error FROM lookups').all() as {
    state: string
    fetched_at: number | null
    next_poll_at: null
    error: string
  }[]
  db.close()
  expect(rows).not.toEqual([])
  for (const row of rows) {
    expect(row.state).toBe(row.fetched_at === null ? 'refused' : 'over')
    expect([row.next_poll_at, JSON.parse(row.error).code]).toEqual([null, 'LEFT_UNFINISHED'])
  }
})

test('continues no import whose audio was analyzed as far as it was imported', () => {
  const errors = (change: string): readonly unknown[] => {
    const db = migrated(
      `UPDATE meetings SET state = 'importing', has_sound = 1, duration_ms = 5, analysed_ms = 5, import_progress = 0.5,
         error = NULL; ${change}`,
    )
    const rows = db.prepare(`SELECT DISTINCT error ->> '$.code' FROM meetings`).pluck().all()
    db.close()
    return rows
  }
  expect(errors('')).toEqual(['LEFT_UNFINISHED'])
  expect(errors('UPDATE meetings SET import_progress = NULL')).toEqual(['LEFT_UNFINISHED'])
  // Former recordings have their transcript.
  const recordings = `UPDATE meetings SET import_progress = NULL;
    DELETE FROM meeting_segments WHERE seq NOT IN (SELECT min(seq) FROM meeting_segments GROUP BY item_seq);
    UPDATE meeting_segments SET id = 'r-' || (SELECT id FROM items WHERE seq = item_seq)`
  expect(errors(recordings)).toEqual([null])
})

test('does not request segments that were never synthesized', () => {
  const db = migrated(
    `UPDATE speech_pieces SET state = 'queued', take_seq = NULL, account_id = NULL`,
  )
  expect(db.prepare('SELECT DISTINCT state FROM speech_pieces').pluck().all()).toEqual(['idle'])
  db.close()
})

test('imports the joined audio of a narration with the positions of its segments', () => {
  const joined = JSON.stringify({
    mediaId: 'm',
    peaksId: 'p',
    durationMs: 5,
    sampleRate: 16_000,
    missing: 0,
    print: 'x',
    revision: 3,
    at: 5,
  })
  const places = JSON.stringify([{ pieceId: 'a', startMs: 0, endMs: 5 }])
  const db = migrated(`UPDATE speeches SET joined = '${joined}', joined_places = '${places}'`)
  const rows = db.prepare('SELECT DISTINCT joined, joined_places FROM speeches').raw().all()
  db.close()
  expect(rows).toEqual([[joined, places]])
})

test('downloads nothing from a URL in an imported row', () => {
  const db = migrated(`UPDATE kept_files SET media_id = NULL, given_up = 0`)
  expect(db.prepare('SELECT count(*) FROM kept_files WHERE given_up = 0').pluck().get()).toBe(0)
  db.close()
})

test('downloads no images of imported documents', () => {
  const db = migrated(
    `INSERT INTO document_remote(item_seq, address) SELECT item_seq, 'https://evil.example/' || item_seq FROM documents`,
  )
  expect(
    db
      .prepare(
        `SELECT given_up, count(*) > 0 FROM document_remote WHERE address LIKE 'https://evil%' GROUP BY 1`,
      )
      .raw()
      .all(),
  ).toEqual([[1, 1]])
  db.close()
})

test('transcribes no imported audio until the user starts it: the meeting pauses', () => {
  const db = migrated(
    `UPDATE meetings SET account_id = 'a-service', state = 'stopped', has_sound = 1, duration_ms = 9000, analysed_ms = 10`,
  )
  const rows = db.prepare(`SELECT DISTINCT account_id, error ->> 'code' AS code FROM meetings`)
  expect(rows.all()).toEqual([{ account_id: 'a-service', code: 'LEFT_UNFINISHED' }])
  db.close()
})

test('does not poll imported documents of knowledge bases that were in progress', () => {
  const db = migrated(`UPDATE knowledge_documents SET state = 'running', next_poll_at = 5`)
  expect(db.prepare('SELECT DISTINCT next_poll_at FROM knowledge_documents').pluck().all()).toEqual(
    [null],
  )
  db.close()
})

test('does not begin a repeated transcription requested before the export', () => {
  const db = migrated(`UPDATE meeting_segments SET again = '{}'`)
  expect(
    db.prepare('SELECT count(*) FROM meeting_segments WHERE again IS NOT NULL').pluck().get(),
  ).toBe(0)
  db.close()
})

const profile = (text: string) => `json('${text}')`
test.each([
  ['for on-device work', `'local', 'local', 'x', '{}', 1, 0`],
  ['of an unknown kind', `'a', 'evil', 'x', '{}', 1, 0`],
  [
    'without encryption',
    `'a', 'custom', 'x', ${profile('{"baseUrl":"http://evil.example"}')}, 1, 0`,
  ],
  ['whose profile is not JSON', `'a', 'custom', 'x', '{', 1, 0`],
  ['whose profile is a list', `'a', 'custom', 'x', '[]', 1, 0`],
  [
    'whose profile has an extra field',
    `'a', 'custom', 'x', ${profile('{"baseUrl":"https://a.example","more":1}')}, 1, 0`,
  ],
  [
    'with a header injected into its language',
    `'a', 'custom', 'x', ${profile('{"baseUrl":"https://a.example","acceptLanguage":"en\\r\\nx: y"}')}, 1, 0`,
  ],
])('does not import an account %s', (_name, values) => {
  const db = migrated(
    `DELETE FROM accounts; INSERT INTO accounts(id, preset, name, profile, created_at, keys) VALUES (${values})`,
  )
  expect(db.prepare('SELECT id FROM accounts').pluck().all()).toEqual([])
  db.close()
})

test('imports an account that could have been entered here', () => {
  const db = migrated('SELECT 1')
  expect(db.prepare('SELECT count(*) FROM accounts').pluck().get()).not.toBe(0)
  db.close()
})

test.each(['tasks', 'lookups', 'embedding_runs', 'kept_files', 'rankings'])(
  'drops an unreadable failure in %s, so that every start can read it',
  (table) => {
    const db = migrated(
      `UPDATE ${table} SET error = CASE WHEN rowid % 2 = 0 THEN '{' ELSE '[]' END`,
    )
    expect(db.prepare(`SELECT DISTINCT error FROM ${table}`).pluck().all()).toEqual([null])
    db.close()
  },
)

test('marks files of an archive as foreign, whatever it specifies', () => {
  const db = migrated(`UPDATE media SET origin = 'imported', name = 'invoice.hta'`)
  const origins = db.prepare('SELECT DISTINCT origin FROM media').pluck().all()
  db.close()
  expect(origins).toEqual(['foreign'])
})
