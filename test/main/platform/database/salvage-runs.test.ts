import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../../../../src/main/platform/database/migrate.ts'
import { salvage } from '../../../../src/main/library-database/salvage.ts'

const fresh = (path = ':memory:'): Database.Database => {
  const db = new Database(path)
  migrate(db)
  return db
}
const aRun = `
  INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
    VALUES ('r1', 'a', 'A', 'speech.create', 't', 'done', 's', 1, 1, '{}');`

test('keeps the file of a run whose media row is lost, because its bytes may still exist', () => {
  const [source, into] = [fresh(), fresh()]
  source.exec(`
    INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m1', 'a', 1, 'audio/wav', 'n', 1);
    ${aRun}
    INSERT INTO run_media VALUES ('r1', 'm1', 'output', 'speech.wav')`)
  source.pragma('foreign_keys = OFF')
  source.exec('DELETE FROM media')
  salvage(source, into)
  expect(into.prepare('SELECT run_id, media_id, name FROM run_media').all()).toEqual([
    { run_id: 'r1', media_id: 'm1', name: 'speech.wav' },
  ])
  expect(into.prepare('SELECT id, uses FROM media').all()).toEqual([{ id: 'm1', uses: 1 }])
})

test('keeps the tags of entries, also of those that the intact library contains', () => {
  const [source, into] = [fresh(), fresh()]
  source.exec(`${aRun} INSERT INTO entry_tags VALUES ('run', 'r1', 'new'), ('run', 'r1', 'old')`)
  into.exec(`${aRun} INSERT INTO entry_tags VALUES ('run', 'r1', 'old')`)
  salvage(source, into)
  expect(into.prepare('SELECT tag FROM entry_tags').pluck().all()).toEqual(['new', 'old'])
})

const manyRuns = `
  WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
  INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
    SELECT 'run-' || i, 'a', 'A', 'speech.create', 't', 'done', 's' || i, 1, 1, '{}' FROM n;`

test('keeps the tags before and after a damaged page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-tags-'))
  try {
    const path = join(folder, 'library.db')
    const db = fresh(path)
    db.exec(manyRuns)
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
      INSERT INTO entry_tags SELECT 'run', 'run-' || i, 'tag-' || i FROM n`)
    // The backup has the runs with older tags.
    const backup = fresh()
    backup.exec(`${manyRuns} INSERT INTO entry_tags SELECT 'run', id, 'old' FROM runs`)
    const pageSize = db.pragma('page_size', { simple: true }) as number
    db.close()
    const bytes = readFileSync(path)
    // Both pages that contain the row: those of the table and of its index.
    for (let at = bytes.indexOf('run-11500'); at !== -1; at = bytes.indexOf('run-11500', at)) {
      const page = at - (at % pageSize)
      bytes.fill(0xff, page, page + pageSize)
    }
    writeFileSync(path, bytes)
    const source = new Database(path)
    salvage(source, backup)
    source.close()
    const ids = backup.prepare<[], string>('SELECT id FROM entry_tags').pluck().all()
    expect(ids).toEqual(expect.arrayContaining(['run-10000', 'run-13000']))
    expect(ids, 'unreadable tags stay as they were').toContain('run-11500')
    expect(ids.length).toBeGreaterThan(2000)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('keeps takes, joined audio and embeddings whose media rows are lost', () => {
  const [source, into] = [fresh(), fresh()]
  source.pragma('foreign_keys = OFF')
  source.exec(`
    INSERT INTO items(id, kind, title, created_at, updated_at) VALUES ('i1', 'speech', 't', 1, 1);
    INSERT INTO speeches(item_seq, settings, joined_media, joined_peaks) VALUES (1, '{}', 'joined', 'peaks');
    INSERT INTO speech_pieces(id, item_seq, place, text, paragraph, state, take_seq) VALUES ('p1', 1, 0, 'x', 0, 'done', 1);
    INSERT INTO speech_takes(id, item_seq, piece_seq, media_id, text, voice, voice_name, speed, volume, watermark, fingerprint,
      account_id, account_name, sound, created_at) VALUES ('t1', 1, 1, 'take', 'x', 'v', 'V', 1, 1, 0, 'f', 'a', 'A', '{}', 1);
    INSERT INTO embedding_runs(id, account_id, account_name, title, state, count, texts_media_id, created_at, updated_at)
      VALUES ('e1', 'a', 'A', 't', 'done', 1, 'texts', 1, 1);
    INSERT INTO embedding_media VALUES ('e1', 'texts')`)
  salvage(source, into)
  expect(into.prepare('SELECT id, mime, uses FROM media ORDER BY id').all()).toEqual([
    { id: 'joined', mime: 'audio/wav', uses: 1 },
    { id: 'peaks', mime: 'application/octet-stream', uses: 1 },
    { id: 'take', mime: 'audio/wav', uses: 1 },
    { id: 'texts', mime: 'application/octet-stream', uses: 1 },
  ])
  expect(into.prepare('SELECT take_seq FROM speech_pieces').pluck().all()).toEqual([1])
  expect(into.prepare('SELECT media_id FROM speech_takes').pluck().all()).toEqual(['take'])
  expect(into.pragma('foreign_key_check')).toEqual([])
})
