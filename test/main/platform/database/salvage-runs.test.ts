import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../../../../src/main/platform/database/migrate.ts'
import { salvage } from '../../../../src/main/library-database/salvage.ts'

test('keeps the file of a run whose media row is lost, because its bytes may still exist', () => {
  const fresh = (): Database.Database => {
    const db = new Database(':memory:')
    migrate(db)
    return db
  }
  const [source, into] = [fresh(), fresh()]
  source.exec(`
    INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m1', 'a', 1, 'audio/wav', 'n', 1);
    INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
      VALUES ('r1', 'a', 'A', 'speech.create', 't', 'done', 's', 1, 1, '{}');
    INSERT INTO run_media VALUES ('r1', 'm1', 'output', 'speech.wav')`)
  source.pragma('foreign_keys = OFF')
  source.exec('DELETE FROM media')
  salvage(source, into)
  expect(into.prepare('SELECT run_id, media_id, name FROM run_media').all()).toEqual([
    { run_id: 'r1', media_id: 'm1', name: 'speech.wav' },
  ])
  expect(into.prepare('SELECT id, uses FROM media').all()).toEqual([{ id: 'm1', uses: 1 }])
})
