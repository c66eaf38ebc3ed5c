import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  exportArchive,
  type ArchiveWritten,
} from '../../../../../src/main/domains/library/archive/export.ts'
import { openArchive } from '../../../../../src/main/domains/library/archive/archive-file.ts'
import {
  recoverImport,
  placeArchive,
} from '../../../../../src/main/domains/library/archive/place-archive.ts'
import {
  archivePlaces,
  mediaPlace,
} from '../../../../../src/main/domains/library/archive/layout.ts'
import { progressIn, progressOwner } from '../../../../../src/main/platform/zip/progress.ts'
import { unpack } from '../../../../../src/main/domains/library/archive/unpack.ts'
import type { MergeCounts } from '../../../../../src/main/domains/library/archive/archive-merge.ts'
import {
  inspectBackup,
  restoreBackup,
} from '../../../../../src/main/library-database/backup-restore.ts'
import { storePaths } from '../../../../../src/main/platform/database/paths.ts'
import {
  allKinds,
  fillEmptyColumns,
  fillLibrary,
  describeLibrary,
} from '../../../../fixtures/full-library.ts'
import { randomFrom } from '../../../../fixtures/random.ts'
import { smallDisk } from '../../../platform/database/disk.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-archive-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const place = (name: string): string => join(root, name)
const quiet = () => progressIn(progressOwner().memory)
const archive = (): string => join(root, 'all.lectern')

async function pack(home: string, only?: readonly string[]): Promise<ArchiveWritten> {
  return exportArchive(
    {
      home,
      database: storePaths(home).database,
      computer: join(home, 'this-computer'),
      to: archive(),
      app: '1.2.3',
      at: 1_700_000_000_000,
      verify: true,
      ...(only && { only }),
    },
    quiet(),
  )
}

async function importArchive(home: string): Promise<MergeCounts> {
  const { staged } = archivePlaces(home)
  const { known } = await unpack({ home, archive: archive(), into: staged }, quiet())
  return placeArchive(
    {
      home,
      database: storePaths(home).database,
      computer: join(home, 'this-computer'),
      staged,
      known,
      mark: { id: 'mark', at: 1, file: 'all.lectern' },
      keepAs: join(home, 'backups', 'library-20260101T000000000-before-import.db'),
    },
    quiet(),
  )
}

/** Creates the rows of a new library, as at the first start. */
const empty = (home: string): void =>
  fillLibrary({ home, random: randomFrom(9), each: 0, bytes: 8, kinds: [] })

/** Packs a library of the first schema after a change; its media have no files. */
async function packFirstSchema(change: string, only?: readonly string[]): Promise<void> {
  mkdirSync(place('a'))
  const saved = join(import.meta.dirname, '../../../../fixtures/library-270.db.gz')
  writeFileSync(storePaths(place('a')).database, gunzipSync(readFileSync(saved)))
  const db = new Database(storePaths(place('a')).database)
  db.exec(change)
  db.close()
  await pack(place('a'), only)
}

test('exports a selection of a library that could not be migrated', async () => {
  const recordings = [
    'item-03e795d8-bdca-464d-ab1e-09dd1ca266dc',
    'item-ef01a34c-f6e7-4fbc-8eee-84a7d0895027',
  ]
  await packFirstSchema('', recordings)
  empty(place('b'))
  expect(await importArchive(place('b'))).toEqual({ meeting: { added: 2, newer: 0, known: 0 } })
  const original = new Database(storePaths(place('a')).database, { readonly: true })
  expect(original.pragma('user_version', { simple: true })).toBe(270)
  original.close()
})

test('refuses an archive of the first schema whose rows have the IDs of those it would get', async () => {
  await packFirstSchema(
    `UPDATE meeting_speakers SET id = (SELECT 's-' || min(id) FROM items WHERE kind = 'recording') WHERE seq = 1`,
  )
  empty(place('b'))
  await expect(importArchive(place('b'))).rejects.toMatchObject({ reason: 'database' })
})

test('imports the pins and folders of chats of the first schema', async () => {
  await packFirstSchema(
    `UPDATE conversations SET folder_id = (SELECT min(id) FROM chat_folders) WHERE item_seq = (SELECT min(item_seq) FROM conversations)`,
  )
  empty(place('b'))
  await importArchive(place('b'))
  const db = new Database(storePaths(place('b')).database)
  const filed = db
    .prepare(
      `SELECT i.starred, f.kind FROM items i LEFT JOIN folders f ON f.id = i.folder_id
       WHERE i.kind = 'conversation' ORDER BY f.kind`,
    )
    .all()
  expect(filed).toEqual([
    { starred: 1, kind: null },
    { starred: 1, kind: 'conversation' },
  ])
  expect(db.prepare('SELECT count(*) AS n FROM folders').get()).toEqual({ n: 2 })
  db.close()
})

test('imports an archive of the first schema, whose recordings become meetings', async () => {
  await packFirstSchema(
    `INSERT INTO item_tags SELECT seq, 'old' FROM items WHERE kind = 'recording';
     UPDATE jobs SET state = 'running' WHERE item_seq = 1`,
  )
  empty(place('b'))
  const counts = await importArchive(place('b'))
  expect(counts['meeting']).toMatchObject({ added: 4 })
  expect(counts['recording']).toBeUndefined()
  const db = new Database(storePaths(place('b')).database)
  const rows = db
    .prepare<[], { title: string; text: string; error: string | null; again: string | null }>(
      `SELECT i.title, l.text, m.error, s.again FROM items i JOIN item_tags t ON t.item_seq = i.seq AND t.tag = 'old'
         JOIN meetings m ON m.item_seq = i.seq JOIN meeting_segments s ON s.item_seq = i.seq
         JOIN meeting_lines l ON l.segment_id = s.id ORDER BY i.created_at`,
    )
    .all()
  expect(rows.map(({ text }) => text)).toEqual([
    'words of transcripts 3',
    'words of transcripts 13',
  ])
  // Nothing continues on its own, and nothing complete needs the user.
  for (const { error, again } of rows) expect([error, again]).toEqual([null, null])
  db.close()
  await pack(place('a'))
  const again = await importArchive2(place('b'))
  expect(again['meeting']).toMatchObject({ added: 0, known: 4 })
})

/** Returns rows of `media` as they are after import: files of an archive are foreign. */
const asForeign = (rows: readonly string[] = []): readonly string[] =>
  rows
    .map((row) => row.replace(/"origin":"(?:imported|received)"/, '"origin":"foreign"'))
    .toSorted()

test('imports a library row by row and byte by byte, except for the origin of its files', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(1), each: 4, bytes: 5000 })
  const written = await pack(place('a'))
  expect(written.missing).toEqual([])
  empty(place('b'))
  const wanted = describeLibrary(place('a'))
  const counts = await importArchive(place('b'))
  expect(allKinds.map((kind) => counts[kind]?.added)).toEqual(allKinds.map(() => 4))
  // Entries that are not items are reported as well.
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['run', 'base', 'source', 'listed']))
  expect(Object.values(counts).filter(({ known, newer }) => known + newer > 0)).toEqual([])
  const found = describeLibrary(place('b'))
  expect(found['media']).toEqual(asForeign(wanted['media']))
  for (const [table, rows] of Object.entries(wanted))
    if (table !== 'media') expect(found[table], table).toEqual(rows)
  const db = new Database(storePaths(place('b')).database)
  for (const { id } of db.prepare<[], { id: string }>('SELECT id FROM media').all())
    expect(readFileSync(mediaPlace(place('b'), id))).toEqual(
      readFileSync(mediaPlace(place('a'), id)),
    )
  for (const { id } of db
    .prepare<[], { id: string }>(`SELECT id FROM items WHERE kind = 'meeting'`)
    .all())
    expect(existsSync(join(place('b'), 'meetings', id, 'part-0001.wav'))).toBe(true)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.prepare('SELECT count(*) AS n FROM pragma_foreign_key_check').get()).toEqual({ n: 0 })
  expect(
    db.prepare(`SELECT count(*) AS n FROM search_text WHERE search_text MATCH 'meeting'`).get(),
  ).toEqual({ n: 4 })
  expect(
    db
      .prepare(
        `SELECT count(*) AS n FROM message_text WHERE message_text MATCH 'message_bodies OR words'`,
      )
      .get(),
  ).not.toEqual({ n: 0 })
  db.close()
  expect(existsSync(archivePlaces(place('b')).journal)).toBe(false)
  expect(existsSync(archivePlaces(place('b')).in)).toBe(false)
})

test('restores every row of a rich library, with only files marked as foreign', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(5), each: 6, bytes: 500 })
  const full = new Database(storePaths(place('a')).database)
  fillEmptyColumns(full)
  full.exec(`UPDATE media SET origin = 'imported' WHERE rowid % 2 = 0`)
  full.close()
  const wanted = describeLibrary(place('a'))
  for (const [table, rows] of Object.entries(wanted)) expect(rows.length, table).toBeGreaterThan(0)
  await pack(place('a'))
  empty(place('b'))
  await importArchive(place('b'))
  const found = describeLibrary(place('b'))
  const different = Object.keys(wanted).flatMap((table) => {
    const there = new Set(wanted[table])
    const rows = (found[table] ?? []).filter((row) => !there.has(row))
    return rows.map((row) => `${table} ${row}`)
  })
  expect(different.filter((row) => !row.startsWith('media'))).toEqual([])
  expect(different).toHaveLength(wanted['media']?.length ?? 0)
  // The origin of a file in an archive cannot be trusted.
  expect(found['media']).toEqual(asForeign(wanted['media']))
  for (const [table, rows] of Object.entries(wanted))
    if (table !== 'media') expect(found[table], table).toEqual(rows)
})

test('keeps existing rows, replaces them by newer ones, and changes nothing the second time', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(2), each: 2, bytes: 1000 })
  empty(place('b'))
  await pack(place('a'))
  await importArchive(place('b'))
  const own = new Database(storePaths(place('b')).database)
  own.exec(
    `UPDATE items SET title = 'mine', updated_at = updated_at + 10000000 WHERE kind = 'voice'`,
  )
  own.close()
  const theirs = new Database(storePaths(place('a')).database)
  theirs.exec(
    `UPDATE items SET title = 'theirs', updated_at = updated_at + 5000 WHERE kind IN ('voice', 'meeting', 'document');
     UPDATE conversations SET last_at = 1700000000000 + 5000000000;
     UPDATE items SET title = 'of the future', updated_at = 4100000000000 WHERE kind = 'speech';
     DELETE FROM messages WHERE seq IN (SELECT max(seq) FROM messages GROUP BY item_seq)`,
  )
  theirs.close()
  await pack(place('a'))
  const counts = await importArchive2(place('b'))
  expect(counts).toMatchObject({
    voice: { added: 0, newer: 0, known: 2 },
    meeting: { added: 0, newer: 2, known: 0 },
    document: { added: 0, newer: 2, known: 0 },
    conversation: { added: 0, newer: 2, known: 0 },
    speech: { added: 0, newer: 0, known: 2 },
  })
  expect(Object.values(counts).filter(({ added }) => added > 0)).toEqual([])
  const db = new Database(storePaths(place('b')).database)
  const titles = db
    .prepare<[], { kind: string; title: string; n: number }>(
      `SELECT kind, title, count(*) AS n FROM items WHERE title IN ('mine', 'theirs') GROUP BY 1 ORDER BY 1`,
    )
    .all()
  expect(titles).toEqual([
    { kind: 'document', title: 'theirs', n: 2 },
    { kind: 'meeting', title: 'theirs', n: 2 },
    { kind: 'voice', title: 'mine', n: 2 },
  ])
  expect(db.prepare('SELECT count(*) AS n FROM messages').get()).toEqual({ n: 2 })
  expect(db.prepare(`SELECT 1 FROM items WHERE title = 'of the future'`).get()).toBeUndefined()
  expect(db.prepare('SELECT count(*) AS n FROM items').get()).toEqual({ n: 12 })
  db.close()
})

/** The same with other marks. */
const importArchive2 = (home: string): Promise<MergeCounts> => importAgain(home, 2)
const importArchive3 = (home: string): Promise<MergeCounts> => importAgain(home, 3)

async function importAgain(home: string, time: number): Promise<MergeCounts> {
  const { staged } = archivePlaces(home)
  const { known } = await unpack({ home, archive: archive(), into: staged }, quiet())
  return placeArchive(
    {
      home,
      database: storePaths(home).database,
      computer: join(home, 'this-computer'),
      staged,
      known,
      mark: { id: `mark-${time}`, at: time, file: 'all.lectern' },
      keepAs: join(home, 'backups', `library-20260101T00000000${time}-before-import.db`),
    },
    quiet(),
  )
}

/** Changes the only meeting of a library. */
function changeMeeting(home: string, change: string): void {
  const db = new Database(storePaths(home).database)
  db.exec(`UPDATE items SET ${change} WHERE kind = 'meeting'`)
  db.close()
}
/** Adds a folder and a tag, both named after the library, to its only meeting. */
function fileMeeting(home: string, name: string): void {
  const db = new Database(storePaths(home).database)
  db.exec(`
    INSERT INTO folders VALUES ('${name}', 'meeting', '${name}', 1);
    UPDATE items SET folder_id = '${name}' WHERE kind = 'meeting';
    INSERT INTO item_tags SELECT seq, '${name}' FROM items WHERE kind = 'meeting'`)
  db.close()
}
function meetingIn(home: string): unknown {
  const db = new Database(storePaths(home).database)
  const found = db
    .prepare(
      `SELECT title, starred, folder_id AS folder, (SELECT json_group_array(tag ORDER BY tag) FROM item_tags
         WHERE item_seq = i.seq AND tag IN ('here', 'there')) AS tags FROM items i WHERE kind = 'meeting'`,
    )
    .all()
  db.close()
  return found
}

test('combines stars, folders and tags of an item, whichever version of it is kept', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(2), each: 1, bytes: 100 })
  empty(place('b'))
  await pack(place('a'))
  await importArchive(place('b'))
  changeMeeting(place('b'), `title = 'here', updated_at = updated_at + 1000`)
  changeMeeting(place('a'), 'starred = 1')
  fileMeeting(place('a'), 'there')
  await pack(place('a'))
  const counts = await importArchive2(place('b'))
  expect(counts['meeting']).toEqual({ added: 0, newer: 0, known: 1 })
  expect(meetingIn(place('b'))).toEqual([
    { title: 'here', starred: 1, folder: 'there', tags: '["there"]' },
  ])
  // The other way round: what replaces the item here keeps how it is organized here.
  fileMeeting(place('b'), 'here')
  changeMeeting(place('a'), `title = 'newer', starred = 0, updated_at = updated_at + 9000`)
  await pack(place('a'))
  expect((await importArchive3(place('b')))['meeting']).toMatchObject({ newer: 1 })
  expect(meetingIn(place('b'))).toEqual([
    { title: 'newer', starred: 1, folder: 'here', tags: '["here","there"]' },
  ])
})

interface HighlightRow {
  readonly id: string
  readonly note: string
  readonly page?: number
  readonly boxes?: string
  readonly at: number
  readonly removedAt?: number
}

/** Replaces the highlights of the only document of a library, and sets when its text was changed. */
function setHighlights(home: string, changedAt: number, rows: readonly HighlightRow[]): void {
  const db = new Database(storePaths(home).database)
  db.exec(`DELETE FROM document_highlights;
    UPDATE documents SET pages = 2;
    UPDATE items SET title = 'changed at ${changedAt}', updated_at = ${changedAt} WHERE kind = 'document'`)
  const insert = db.prepare(
    `INSERT INTO document_highlights(id, item_seq, page, boxes, quote, note, color, created_at, updated_at, removed_at)
     VALUES (?, (SELECT item_seq FROM documents), ?, ?, 'quote', ?, 'yellow', 1, ?, ?)`,
  )
  for (const { id, note, page = 1, boxes = '[[0.1,0.1,0.2,0.2]]', at, removedAt = null } of rows)
    insert.run(id, page, boxes, note, at, removedAt)
  db.close()
}

function highlightsOf(home: string): { readonly title: string; readonly notes: readonly string[] } {
  const db = new Database(storePaths(home).database, { readonly: true })
  const notes = db
    .prepare<[], string>(
      `SELECT h.id || ': ' || h.note || iif(h.removed_at IS NULL, '', ' (removed)') FROM document_highlights h
       JOIN documents USING (item_seq) ORDER BY 1`,
    )
    .pluck()
    .all()
  const title = db
    .prepare(`SELECT title FROM items WHERE kind = 'document'`)
    .pluck()
    .get() as string
  db.close()
  return { title, notes }
}

test.each([
  { newer: 'here', here: 3000, there: 2000 },
  { newer: 'there', here: 2000, there: 3000 },
])('merges highlights one by one, whichever text is newer: $newer', async ({ here, there }) => {
  fillLibrary({ home: place('a'), random: randomFrom(2), each: 1, bytes: 100 })
  await pack(place('a'))
  empty(place('b'))
  await importArchive(place('b'))
  setHighlights(place('b'), here, [
    { id: 'both', note: 'here', at: 20 },
    { id: 'changed-there', note: 'here', at: 20 },
    { id: 'only-here', note: 'here', at: 20 },
    { id: 'removed-here', note: '', at: 50, removedAt: 50 },
    { id: 'removed-there', note: 'here', at: 20 },
    { id: 'restored-here', note: 'here', at: 60 },
    { id: 'wrong-clock', note: 'here', at: 20 },
  ])
  setHighlights(place('a'), there, [
    { id: 'both', note: 'there', at: 20 },
    { id: 'changed-there', note: 'there', at: 30 },
    { id: 'only-there', note: 'there', at: 20 },
    { id: 'removed-here', note: 'there', at: 20 },
    { id: 'removed-there', note: 'there', at: 50, removedAt: 50 },
    { id: 'restored-here', note: 'there', at: 50, removedAt: 50 },
    { id: 'wrong-clock', note: 'there', at: 4_100_000_000_000 },
  ])
  await pack(place('a'))
  const expected = {
    title: 'changed at 3000',
    notes: [
      'both: here',
      'changed-there: there',
      'only-here: here',
      'only-there: there',
      'removed-here:  (removed)',
      'removed-there: there (removed)',
      'restored-here: here',
      'wrong-clock: here',
    ],
  }
  const counts = await importArchive2(place('b'))
  expect(counts['highlight']).toEqual({ added: 1, newer: 2, known: 3 })
  expect(highlightsOf(place('b'))).toEqual(expected)
  await importArchive3(place('b'))
  expect(highlightsOf(place('b'))).toEqual(expected)
  const db = new Database(storePaths(place('b')).database, { readonly: true })
  expect(db.prepare('SELECT count(*) AS n FROM pragma_foreign_key_check').get()).toEqual({ n: 0 })
  db.close()
})

test('skips highlights that no page could show, or whose ID is not one of ours', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(2), each: 1, bytes: 100 })
  setHighlights(place('a'), 3000, [
    { id: 'good', note: 'good', at: 20 },
    { id: 'page-0', note: '', page: 0, at: 20 },
    { id: 'page-3', note: '', page: 3, at: 20 },
    { id: 'reversed', note: '', boxes: '[[0.5,0.1,0.2,0.2]]', at: 20 },
    { id: 'flat', note: '', boxes: '[[0.1,0.2,0.2,0.2]]', at: 20 },
    { id: 'none', note: '', boxes: '[ ]', at: 20 },
    { id: 'many', note: '', boxes: `[${'[0,0,1,1],'.repeat(1000)}[0,0,1,1]]`, at: 20 },
    { id: 'x) /AA << >> /Y (', note: '', at: 20 },
    { id: 'long'.repeat(20), note: '', at: 20 },
    { id: 'large-note', note: 'n'.repeat(100_001), at: 20 },
  ])
  await pack(place('a'))
  empty(place('b'))
  await importArchive(place('b'))
  expect(highlightsOf(place('b')).notes).toEqual(['good: good'])
})

test('imports files referenced by a snapshot of a remote item', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(2), each: 2, bytes: 1000 })
  const db = new Database(storePaths(place('a')).database)
  const one = (sql: string): string => db.prepare(sql).pluck().get() as string
  db.pragma('foreign_keys = ON')
  db.exec(`
    DELETE FROM kept_files; DELETE FROM lookup_versions;
    INSERT INTO lookup_versions(lookup_id, number, reply_id, status, at)
      SELECT id, 1, 'reply-of-' || id, 'done', 1 FROM lookups LIMIT 1;
    INSERT INTO kept_files(owner_id, role, place, account_id, address, name, media_id)
      SELECT lookup_id || '/1', 'file', 0, 'a', 'https://example.org/deck.pptx', 'deck.pptx',
        (SELECT min(id) FROM media) FROM lookup_versions`)
  const media = one('SELECT media_id FROM kept_files')
  db.close()
  await pack(place('a'))
  empty(place('b'))
  await importArchive(place('b'))
  const here = new Database(storePaths(place('b')).database)
  const all = (sql: string) => here.prepare(sql).pluck().all()
  expect(all('SELECT media_id FROM kept_files')).toEqual([media])
  expect(existsSync(mediaPlace(place('b'), media))).toBe(true)
  here.close()
})

test('includes in a selection its items with all their data, and nothing else', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(3), each: 3, bytes: 1000 })
  const db = new Database(storePaths(place('a')).database)
  const ids = db
    .prepare<[], { id: string }>('SELECT min(id) AS id FROM items GROUP BY kind')
    .all()
    .map(({ id }) => id)
  const run = db.prepare<[], { id: string }>('SELECT id FROM runs LIMIT 1').get()?.id ?? ''
  db.close()
  await pack(place('a'), [...ids, run])
  const file = await open(archive())
  const { manifest, entries } = await openArchive(file)
  await file.close()
  expect(manifest.scope).toBe('selection')
  expect(manifest.counts).toMatchObject({
    'item.meeting': 1,
    messages: 2,
    runs: 1,
  })
  expect(entries.filter(({ name }) => name.startsWith('meetings/'))).toHaveLength(2)
  expect(entries.some(({ name }) => name.startsWith('this-computer/'))).toBe(false)
  empty(place('b'))
  await importArchive(place('b'))
  const found = describeLibrary(place('b'))
  expect(found['items']).toHaveLength(allKinds.length)
  const imported = new Database(storePaths(place('b')).database)
  const filed = imported
    .prepare(`SELECT starred, f.id FROM items JOIN folders f ON f.id = folder_id`)
    .all()
  expect(filed).toMatchObject([{ starred: 1 }])
  imported.close()
  // The other folder has no item of the selection.
  expect(found['folders']).toHaveLength(1)
})

test('takes imported items out of folders that are missing or belong to another list', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(4), each: 1, bytes: 100 })
  const db = new Database(storePaths(place('a')).database)
  db.exec(`UPDATE items SET folder_id = 'gone' WHERE kind = 'conversation';
    UPDATE items SET folder_id = (SELECT id FROM folders LIMIT 1) WHERE kind = 'meeting'`)
  db.close()
  await pack(place('a'))
  empty(place('b'))
  await importArchive(place('b'))
  const imported = new Database(storePaths(place('b')).database)
  expect(imported.prepare('SELECT id FROM items WHERE folder_id IS NOT NULL').all()).toEqual([])
  imported.close()
})

test('removes the files at a start after an import cut off before its rows', async () => {
  fillLibrary({ home: place('a'), random: randomFrom(4), each: 2, bytes: 1000 })
  empty(place('b'))
  await pack(place('a'))
  const before = describeLibrary(place('b'))
  const { staged, journal } = archivePlaces(place('b'))
  await unpack({ home: place('b'), archive: archive(), into: staged }, quiet())
  // The rows cannot be written: another program has locked the database.
  const other = new Database(storePaths(place('b')).database)
  other.exec('BEGIN IMMEDIATE')
  await expect(importArchive(place('b'))).rejects.toThrow(/locked|busy|in use/)
  other.exec('ROLLBACK')
  other.close()
  recoverImport(place('b'), storePaths(place('b')).database)
  expect(describeLibrary(place('b'))).toEqual(before)
  expect(readdirSync(join(place('b'), 'meetings'))).toEqual([])
  expect(existsSync(journal)).toBe(false)
})

test('does not resend requests of a restored backup that may have been sent since', () => {
  fillLibrary({ home: place('a'), random: randomFrom(5), each: 2, bytes: 100 })
  const { database } = storePaths(place('a'))
  const before = new Database(database)
  before.exec(`
    UPDATE speech_pieces SET state = 'queued';
    UPDATE voice_clones SET state = 'waiting';
    UPDATE knowledge_uploads SET state = 'queued', attempts = 0`)
  before.pragma('journal_mode = DELETE')
  before.close()
  const backup = join(root, 'backup.db')
  copyFileSync(database, backup)
  const mark = { id: 'back', at: 1, file: 'backup.db' }
  restoreBackup(database, backup, { mark, keepAs: join(root, 'kept', 'as-it-was.db') })
  const db = new Database(database)
  const all = (sql: string) => db.prepare(sql).pluck().all()
  expect(all('SELECT DISTINCT state FROM speech_pieces')).toEqual(['stale'])
  expect(all('SELECT DISTINCT state FROM voice_clones')).toEqual(['cloning'])
  expect(all('SELECT DISTINCT attempts FROM knowledge_uploads')).toEqual([1])
  db.close()
})

test('leaves the library unchanged by a backup of a newer Lectern or without disk space', () => {
  const disk = smallDisk(6 * 1024 * 1024)
  const home = disk?.path ?? place('a')
  try {
    fillLibrary({ home, random: randomFrom(9), each: 1, bytes: 100, kinds: ['conversation'] })
    const { database } = storePaths(home)
    const before = readFileSync(database)
    const backup = place('backup.db')
    copyFileSync(database, backup)
    const options = {
      mark: { id: 'm', at: 1, file: 'f' },
      keepAs: join(home, 'backups', 'keep.db'),
    }
    const db = new Database(backup)
    db.pragma('user_version = 99990')
    db.close()
    expect(() => restoreBackup(database, backup, options)).toThrow(/newer version/)
    expect(() => inspectBackup(backup, database)).toThrow(/newer version/)
    copyFileSync(database, backup)
    // Space for the copy of the present library only.
    if (disk) {
      const grown = new Database(backup)
      grown.exec('CREATE TABLE room(x); INSERT INTO room VALUES (zeroblob(6000000))')
      grown.close()
      expect(() => restoreBackup(database, backup, options)).toThrow(/ENOSPC|full/)
    }
    expect(readFileSync(database).equals(before)).toBe(true)
    expect(readdirSync(home).filter((name) => name.includes('restoring'))).toEqual([])
  } finally {
    disk?.remove()
  }
})
