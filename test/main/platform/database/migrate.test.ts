import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertUsable } from '../../../../src/main/library-database/backup-restore.ts'
import {
  migrate,
  migrations,
  supportedVersion,
} from '../../../../src/main/platform/database/migrate.ts'
import { type SearchRow, rowsPerItem } from '../../../../src/main/platform/database/search-rows.ts'
import { indexTokens } from '../../../../src/shared/text/cut.ts'
import { newDocument } from '../../domains/documents/store/fixture.ts'
import { addItem, codeOf, temporaryHome, withStore } from './fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
  mkdirSync(folder.home, { recursive: true })
})
afterEach(() => folder.remove())

const database = (): string => join(folder.home, 'library.db')

type Rows = Readonly<Record<string, readonly unknown[]>>

/** Returns the rows of all tables, and requires an intact file. */
function readRows(): Rows {
  const db = new Database(database(), { readonly: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all()
    return Object.fromEntries(
      tables.map((table) => [table, db.prepare(`SELECT * FROM "${table}"`).all()]),
    )
  } finally {
    db.close()
  }
}

test('versions are multiples of ten in ascending order', () => {
  const versions = migrations.map(({ version }) => version)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect(versions.filter((version) => version % 10 !== 0)).toEqual([])
})

/** Tables that the migrations after 270 change. */
const changedTables =
  /^(items|item_counts|meeting.*|transcripts|jobs|search_text.*|semantic_indexes|ranking_candidates|sqlite_sequence|conversations|chat_folders)$/

/**
 * Made by the 27 migrations before the first schema, with rows in all tables but those whose rows are removed when idle.
 */
test('opens a library of the former migrations with everything in it', async () => {
  const saved = join(import.meta.dirname, '../../../fixtures/library-270.db.gz')
  writeFileSync(database(), gunzipSync(readFileSync(saved)))
  const before = readRows()
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(80)
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    const { items } = store.items.list({ bin: false, limit: 100 })
    const kinds = ['conversation', 'document', 'meeting', 'retrieval', 'speech', 'voice']
    expect([...new Set(items.map(({ kind }) => kind))].toSorted()).toEqual(kinds)
    const chats = items.filter(({ kind }) => kind === 'conversation')
    expect(chats.map(({ starred }) => starred)).toEqual([true, true])
    expect(store.entries.facets('conversation').folders).toHaveLength(2)
    for (const { id, title } of items) {
      const { hits } = await store.search.search({ query: title, limit: 50 })
      expect(hits.map(({ itemId }) => itemId)).toContain(id)
    }
  })
  const after = readRows()
  const version = { key: 'app', value: '0.0.0' }
  const unchanged = Object.entries(before).filter(([table]) => !changedTables.test(table))
  expect(unchanged.length).toBeGreaterThan(79)
  for (const [table, rows] of unchanged)
    expect(after[table], table).toEqual(table === 'library_facts' ? [...rows, version] : rows)
  expect(after['conversations']).toEqual(
    (before['conversations'] ?? []).map((row) =>
      Object.fromEntries(
        Object.entries(row as object).filter(([name]) => !/^pinned|^folder_id$/.test(name)),
      ),
    ),
  )
  expect(after['folders']).toEqual(
    (before['chat_folders'] ?? []).map((row) => ({ ...(row as object), kind: 'conversation' })),
  )
  // Meetings are as they were, and recordings are now among them, with their texts.
  for (const [table, rows] of Object.entries(before))
    if (table.startsWith('meeting'))
      // Later versions add columns.
      expect(after[table], table).toEqual(
        expect.arrayContaining(rows.map((row) => expect.objectContaining(row as object))),
      )
  const texts = (rows: readonly unknown[] = []) => rows.map((row) => (row as { text: string }).text)
  const oldTexts = (before['transcripts'] ?? []).filter(
    (row) => (row as { item_seq: number }).item_seq <= 2,
  )
  expect(oldTexts).toHaveLength(2)
  expect(texts(after['meeting_readings'])).toEqual(expect.arrayContaining(texts(oldTexts)))
  expect(texts(after['meeting_lines'])).toEqual(expect.arrayContaining(texts(oldTexts)))
  // Its schema is the one that a new library gets.
  const model = new Database(':memory:')
  migrate(model)
  const found = new Database(database(), { readonly: true })
  const schemaOf = (db: Database.Database): readonly string[] =>
    db
      .prepare<[], string>(
        `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`,
      )
      .pluck()
      .all()
      .map((line) => line.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1'))
  expect(schemaOf(found)).toEqual(schemaOf(model))
  found.close()
})

/** The first schema with these rows, and the search rows of their transcripts. */
function firstSchema(rows: string): void {
  const db = new Database(database())
  db.pragma('journal_mode = WAL')
  migrate(db, migrations.slice(0, 1))
  db.exec(rows)
  const texts = db
    .prepare<[], SearchRow>(
      `SELECT i.seq, coalesce(t.number, 0) AS number, i.title, coalesce(t.text, '') AS text
       FROM items i LEFT JOIN transcripts t ON t.item_seq = i.seq`,
    )
    .all()
  const insert = db.prepare('INSERT INTO search_text(rowid, title, body) VALUES (?, ?, ?)')
  for (const { seq, number, title, text } of texts)
    insert.run(BigInt(seq * rowsPerItem + number), indexTokens(title), indexTokens(text))
  db.close()
}

const options = `'{"stream":true,"prompt":"A plan","hotwords":["Lectern"]}'`
const failure = `'{"code":"SERVICE_ERROR","message":"no","retriable":true,"at":1}'`
const recording = (seq: number, seconds: number | null = 5): string => `
  INSERT INTO media(id, sha256, bytes, mime, name, duration, created_at)
    VALUES ('m${seq}', '', 10, 'audio/wav', 'talk ${seq}.wav', ${seconds ?? 'NULL'}, 1);
  INSERT INTO items(seq, id, kind, title, excerpt, media_id, created_at, updated_at)
    VALUES (${seq}, 'i${seq}', 'recording', 'Talk ${seq}', 'words', 'm${seq}', ${seq}, 50);`
const transcript = (seq: number, number: number, text: string, state = 'complete'): string => `
  INSERT INTO transcripts VALUES ('t${seq}-${number}', ${seq}, ${number}, '${text}', '${state}', 'model', 'a', 'Account',
    'request ${number}', 'notice', ${100 + number});`
const job = (seq: number, state: string, error = 'NULL'): string => `
  INSERT INTO jobs(id, kind, item_seq, state, attempts, account_id, options, error, created_at, updated_at)
    VALUES ('j${seq}-${state}', 'transcription', ${seq}, '${state}', 3, 'b', ${options}, ${error}, ${seq}, 1);`

test('turns recordings into meetings with every text, and continues what was unfinished', async () => {
  firstSchema(
    [
      recording(1) +
        transcript(1, 0, 'early words') +
        transcript(1, 1, 'late words') +
        job(1, 'done'),
      recording(2) + transcript(2, 0, '', 'no-speech') + job(2, 'done'),
      recording(3) + transcript(3, 0, 'half of', 'partial') + job(3, 'running'),
      recording(4) + job(4, 'queued'),
      recording(5) + job(5, 'failed', failure),
      recording(6, 45) + job(6, 'failed', failure),
      recording(7) + transcript(7, 0, 'whole words') + job(7, 'waiting', failure),
      recording(8) + transcript(8, 0, 'stopped here', 'partial') + job(8, 'cancelled', failure),
      recording(9, null) + transcript(9, 0, 'no length'),
      recording(10, 30.5) + job(10, 'failed', failure),
      `UPDATE items SET deleted_at = 60 WHERE seq = 9;
       INSERT INTO item_tags VALUES (1, 'work');
       INSERT INTO replies VALUES ('r', 'i1', 'transcriptions.create', 200, 'application/json', '{}', NULL, 1)`,
    ].join('\n'),
  )
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    const get = (n: number) => {
      const meeting = store.meetings.get(`i${n}`)
      const segments = store.meetings.segments(`i${n}`)
      const versions = store.meetings.versions(
        `i${n}`,
        segments.map(({ id }) => id),
      )
      const lines = store.meetings.lines(`i${n}`).map(({ id, text }) => [id, text])
      return { meeting, segments, versions, lines, work: store.meetings.work(`i${n}`, ['pending']) }
    }
    expect(store.items.list({ bin: false, kinds: ['meeting'], limit: 20 }).total).toBe(9)
    expect(store.items.list({ bin: true, kinds: ['meeting'], limit: 20 }).total).toBe(1)
    expect(store.meetings.inState(['importing'])).toHaveLength(10)
    const done = get(1)
    expect(done.meeting).toMatchObject({
      title: 'Talk 1',
      source: 'import',
      durationMs: 5000,
      originalMediaId: 'm1',
      originalName: 'talk 1.wav',
      originalBytes: 10,
      originalMime: 'audio/wav',
      accountId: 'b',
      prompt: 'A plan',
      hotwords: ['Lectern'],
      error: null,
      completeness: { segments: 1, waiting: 0, failed: 0, transcribedMs: 5000 },
    })
    expect(done.segments).toMatchObject([
      { state: 'done', startMs: 0, endMs: 5000, versionId: 't1-1' },
    ])
    expect(done.lines).toEqual([['t1-1', 'late words']])
    expect(done.versions).toMatchObject([
      {
        id: 't1-1',
        text: 'late words',
        state: 'current',
        requestId: 'request 1',
        notice: 'notice',
      },
      { id: 't1-0', text: 'early words', state: 'older', at: 100, accountName: 'Account' },
    ])
    expect(store.replies.byItem('i1')).toHaveLength(1)
    expect(store.entries.tags()).toEqual([{ tag: 'work', items: 1 }])
    expect(get(2)).toMatchObject({ segments: [{ state: 'silent' }], lines: [], work: [] })
    expect(get(3)).toMatchObject({ segments: [{ state: 'pending' }], lines: [['t3-0', 'half of']] })
    expect(get(4)).toMatchObject({ segments: [], meeting: { error: null, accountId: 'b' } })
    expect(get(5).segments).toMatchObject([{ state: 'failed', error: { code: 'SERVICE_ERROR' } }])
    expect(get(6)).toMatchObject({ segments: [], meeting: { error: { code: 'LEFT_UNFINISHED' } } })
    expect(get(7)).toMatchObject({
      segments: [{ state: 'done', anotherPass: true }],
      work: [{ again: { accountId: 'b', prompt: 'A plan', hotwords: ['Lectern'] } }],
    })
    expect(get(8)).toMatchObject({
      segments: [{ state: 'failed' }],
      lines: [['t8-0', 'stopped here']],
    })
    expect(get(9)).toMatchObject({ segments: [{ endMs: 30_000 }], lines: [['t9-0', 'no length']] })
    // One request accepts no more than 30 seconds.
    expect(get(10)).toMatchObject({ segments: [], meeting: { error: { code: 'LEFT_UNFINISHED' } } })
    const found = async (query: string) => (await store.search.search({ query, limit: 9 })).hits
    expect(await found('late')).toMatchObject([{ itemId: 'i1', kind: 'meeting', partId: 't1-1' }])
    expect(await found('early')).toMatchObject([{ itemId: 'i1', kind: 'meeting', partId: 't1-1' }])
    expect(await found('whole')).toMatchObject([{ itemId: 'i7', partId: 't7-0' }])
  })
})

test('does not list failures again that were dismissed', async () => {
  firstSchema(
    [
      recording(1) + job(1, 'failed', failure),
      recording(2) + job(2, 'failed', failure),
      recording(3) + transcript(3, 0, 'half of', 'partial') + job(3, 'failed', failure),
      `UPDATE jobs SET dismissed = 1 WHERE item_seq <> 1`,
    ].join('\n'),
  )
  await withStore(folder.home, (store) => {
    expect(store.meetings.failures().map(({ id }) => id)).toEqual(['i1'])
    expect(store.meetings.segments('i2')).toMatchObject([{ state: 'failed' }])
  })
})

test('adds highlights to the documents of a library of the version before', async () => {
  await withStore(folder.home, (store) => newDocument(store, 'd'), {
    migrations: migrations.filter(({ version }) => version < 300),
  })
  await withStore(folder.home, (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    const marked = { id: 'h', page: 2, boxes: [], quote: 'sea', note: '', color: 'red' } as const
    store.highlights.add('d', [marked], 9)
    expect(store.highlights.ofDocument('d')).toMatchObject([marked])
  })
})

/** Chats with a pin, a folder, and a folder that does not exist, in a library of version 300. */
async function pinnedChats(): Promise<void> {
  await withStore(folder.home, () => undefined, {
    migrations: migrations.filter(({ version }) => version < 310),
  })
  const db = new Database(database())
  db.exec(`
    INSERT INTO chat_folders VALUES ('f', 'Work', 3);
    INSERT INTO items(id, kind, title, created_at, updated_at) VALUES
      ('a', 'conversation', 'A', 1, 1), ('b', 'conversation', 'B', 2, 2), ('c', 'conversation', 'C', 3, 3);
    INSERT INTO conversations(item_seq, settings, who, account_id, account_name, folder_id, pinned_at, last_at)
      SELECT seq, '{"kind":"agent","knowledgeIds":[]}', 'agent', '', '',
        CASE id WHEN 'a' THEN 'f' WHEN 'b' THEN 'gone' END, iif(id = 'a', 5, NULL), seq FROM items`)
  db.close()
}
const work = { id: 'f', kind: 'conversation', name: 'Work', items: 1 }

test('turns the pins and folders of chats into stars and folders of items', async () => {
  await pinnedChats()
  await withStore(folder.home, (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    const { conversations } = store.chats.list({ bin: false, limit: 9 })
    expect(conversations).toMatchObject([
      { id: 'a', starred: true, folderId: 'f' },
      { id: 'c', starred: false, folderId: null },
      { id: 'b', starred: false, folderId: null },
    ])
    expect(store.entries.facets('conversation').folders).toEqual([work])
  })
})

test('shows the pins and folders of a library that cannot be migrated as stars and folders', async () => {
  await pinnedChats()
  const fails = {
    version: 310,
    up: () => {
      throw new Error('not today')
    },
  }
  await withStore(
    folder.home,
    (store) => {
      expect(store.writable).toBe(false)
      const found = { id: 'a', starred: true, folderId: 'f' }
      expect(store.chats.list({ bin: false, limit: 1 }).conversations).toMatchObject([found])
      const query = { bin: false, starredFirst: true, limit: 1 }
      expect(store.items.list(query).items).toMatchObject([found])
      expect(store.entries.facets('conversation')).toMatchObject({ folders: [work], starred: true })
    },
    { migrations: [...migrations.filter(({ version }) => version < 310), fails] },
  )
})

test('suggests no titles for meetings of earlier versions', async () => {
  firstSchema(recording(1) + transcript(1, 0, 'the budget of the spring release'))
  await withStore(folder.home, (store) => {
    expect(store.meetings.get('i1')).toMatchObject({ title: 'Talk 1', titleSuggestion: null })
    expect(store.meetings.untitled()).toEqual([])
  })
})

test('shows the recordings of a library that cannot be migrated as meetings', async () => {
  firstSchema(recording(1) + transcript(1, 0, 'early words'))
  const fails = {
    version: 280,
    up: () => {
      throw new Error('not today')
    },
  }
  await withStore(
    folder.home,
    (store) => {
      expect(store.writable).toBe(false)
      const found = { id: 'i1', kind: 'meeting', title: 'Talk 1' }
      for (const kinds of [undefined, ['meeting'] as const]) {
        const { items, total } = store.items.list({ bin: false, limit: 9, ...(kinds && { kinds }) })
        expect([items, total]).toMatchObject([[found], 1])
      }
      expect(store.entries.list({ order: 'newest', limit: 9 }).entries).toMatchObject([found])
    },
    { migrations: [...migrations.slice(0, 1), fails] },
  )
})

test('turns the recordings of a damaged library into meetings', async () => {
  const rows = Array.from({ length: 200 }, (_, n) => {
    const text = `text ${n} ${'lorem ipsum '.repeat(80)}`
    return recording(n + 1) + transcript(n + 1, 0, text) + job(n + 1, 'done')
  })
  firstSchema(rows.join('\n'))
  // The first page of the table’s leaves, somewhere in the file.
  const db = new Database(database(), { readonly: true })
  const page = db
    .prepare<[], number>(
      `SELECT pageno FROM dbstat WHERE name = 'transcripts' AND pagetype = 'leaf' LIMIT 1 OFFSET 20`,
    )
    .pluck()
    .get()
  db.close()
  const file = openSync(database(), 'r+')
  writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, ((page ?? 1) - 1) * 4096)
  closeSync(file)
  await withStore(folder.home, (store) => {
    expect(store.notice.state).toBe('restored')
    const { items, total } = store.items.list({ bin: false, kinds: ['meeting'], limit: 200 })
    expect(total).toBe(200)
    const read = items.filter(({ id }) => store.meetings.lines(id).length === 1)
    expect(read.length).toBeGreaterThan(190)
    expect(read.length).toBeLessThan(200)
  })
})

test('leaves a database of a test version unchanged, and says so', async () => {
  const db = new Database(database())
  db.exec('CREATE TABLE items(id TEXT); PRAGMA user_version = 260')
  db.close()
  const before = readFileSync(database())
  await withStore(folder.home, (store) => {
    expect(store.writable).toBe(false)
    expect(store.notice).toMatchObject({ state: 'read-only', error: { code: 'DATABASE_TOO_OLD' } })
    expect(store.items.list({ bin: false, limit: 1 }).total).toBe(0)
  })
  expect(readFileSync(database())).toEqual(before)
  expect(await codeOf(() => assertUsable(database()))).toBe('DATABASE_TOO_OLD')
})

test('leaves a complete library when killed during a migration', async () => {
  await withStore(folder.home, (store) => {
    for (let n = 0; n < 20; n++)
      addItem(store, `i${n}`, `Title ${n}`, `words of number${n} 会议`, n)
  })
  const before = readRows()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'stuck-migration.ts'), database()],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  // Pages of the migration are already in the WAL.
  expect(statSync(`${database()}-wal`).size).toBeGreaterThan(100_000)
  child.kill('SIGKILL')
  await once(child, 'close')
  const db = new Database(database())
  expect(db.pragma('user_version', { simple: true })).toBe(supportedVersion())
  db.close()
  expect(readRows()).toEqual(before)
  await withStore(folder.home, async (store) => {
    const { hits } = await store.search.search({ query: 'number7', limit: 5 })
    expect(hits.map(({ itemId }) => itemId)).toEqual(['i7'])
  })
})
