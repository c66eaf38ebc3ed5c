import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../../../src/main/store/migrate.ts'
import { migrations } from '../../../src/main/store/migrations/index.ts'

test('marks files of an older library as imported if the user added them and no provider sent them', () => {
  const old = new Database(':memory:')
  for (const { version, up } of migrations) if (version < 260) up(old)
  old.pragma('user_version = 250')
  const media = ['document', 'attached', 'drawn', 'draft', 'input', 'output', 'both', 'alone']
  for (const id of media)
    old
      .prepare(
        `INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES (?, '', 1, 'application/octet-stream', 'n', 1)`,
      )
      .run(id)
  old.pragma('foreign_keys = OFF')
  old.exec(`
    INSERT INTO items(id, kind, title, media_id, created_at, updated_at) VALUES ('i', 'document', 't', 'document', 1, 1);
    INSERT INTO items(id, kind, title, created_at, updated_at) VALUES ('c', 'conversation', 't', 1, 1);
    INSERT INTO messages(id, item_seq, depth, role, state, who, created_at)
      VALUES ('q', 2, 0, 'user', 'done', '{}', 1), ('a', 2, 1, 'assistant', 'done', '{}', 1);
    INSERT INTO message_media(message_seq, media_id) SELECT seq, iif(role = 'user', 'attached', 'drawn') FROM messages;
    INSERT INTO draft_media(item_seq, media_id) VALUES (2, 'draft');
    INSERT INTO run_media(run_id, media_id, role, name) VALUES ('r', 'input', 'input', ''), ('r', 'output', 'output', 'x.html'),
      ('r', 'both', 'input', ''), ('r', 'both', 'output', 'y.html')`)
  migrate(old)
  const imported = old.prepare(`SELECT id FROM media WHERE origin = 'imported' ORDER BY id`).pluck()
  expect(imported.all()).toEqual(['attached', 'document', 'draft', 'input'])
  old.close()
})
