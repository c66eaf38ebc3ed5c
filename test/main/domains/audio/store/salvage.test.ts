import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recount } from '../../../../../src/main/library-database/counts.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { rebuildDatabase } from '../../../../../src/main/library-database/rebuild.ts'
import { salvage } from '../../../../../src/main/library-database/salvage.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aMeeting, transcribeAt } from './fixture.ts'

const tables = [
  'meetings',
  'meeting_speakers',
  'meeting_segments',
  'meeting_readings',
  'meeting_lines',
  'meeting_edits',
  'meeting_bookmarks',
  'meeting_gaps',
  'meeting_summaries',
  'summary_templates',
]

const rowsOf = (db: Database.Database) =>
  Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]))

/** Creates a library with data in every meeting table, with one edited line. */
const make = (home: string): Promise<void> =>
  withStore(home, (store) => {
    store.meetings.create(aMeeting('m', { titleIsAutomatic: true }))
    store.meetings.suggestTitles('m', { titles: ['A phrase'], engine: null })
    transcribeAt(store, 'm', 'a', 0, 0, ['as it was heard', 'second'])
    transcribeAt(store, 'm', 'b', 1, 200_000, ['third'])
    const line = store.meetings.lines('m')[0]
    store.meetings.edit('m', { type: 'text', lineId: line?.id ?? '', text: 'edited by hand' })
    store.meetings.addBookmark('m', { id: 'b', atMs: 1, label: 'x' })
    store.meetings.addGap('m', { id: 'g', startMs: 1, endMs: 5, channel: null, reason: 'lost' })
    store.meetings.putSummary('m', {
      id: 's',
      templateId: 't',
      templateName: 'T',
      state: 'done',
      points: [],
      engine: 'e',
      error: null,
      at: 1,
    })
    store.meetings.putTemplate({ id: 't', name: 'T', builtIn: false, sections: [] })
  })

test('rebuilds meetings completely: rows, edits, numbers and search', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    const path = join(folder.home, 'library.db')
    const target = join(folder.home, 'rebuilt.db')
    rebuildDatabase({ damaged: path, backup: null, target })
    const [old, made] = [new Database(path), new Database(target)]
    expect(rowsOf(made)).toEqual(rowsOf(old))
    for (const table of tables) expect(rowsOf(made)[table], table).not.toEqual([])
    expect(made.pragma('foreign_key_check')).toEqual([])
    // The stored counts equal the actual counts.
    const savedRows = made.prepare('SELECT * FROM meetings').all()
    recount(made)
    expect(made.prepare('SELECT * FROM meetings').all()).toEqual(savedRows)
    for (const query of ['edited', 'third', 'meeting'])
      expect(
        made.prepare('SELECT count(*) AS n FROM search_text WHERE search_text MATCH ?').get(query),
      ).not.toEqual({ n: 0 })
    old.close()
    made.close()
  } finally {
    folder.remove()
  }
})

test('keeps lines, including edited ones, whose meeting or segment is unreadable', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    const source = new Database(join(folder.home, 'library.db'))
    source.pragma('foreign_keys = OFF')
    source.exec('DELETE FROM meetings; DELETE FROM meeting_segments')
    const into = new Database(join(folder.home, 'into.db'))
    migrate(into)
    salvage(source, into)
    expect(into.prepare('SELECT text FROM meeting_lines ORDER BY start_ms, seq').all()).toEqual([
      { text: 'edited by hand' },
      { text: 'second' },
      { text: 'third' },
    ])
    expect(
      into.prepare('SELECT state, channels, duration_ms, segments FROM meetings').all(),
    ).toEqual([
      { state: 'stopped', channels: '["mic","others"]', duration_ms: 201_000, segments: 0 },
    ])
    expect(into.pragma('foreign_key_check')).toEqual([])
    source.close()
    into.close()
  } finally {
    folder.remove()
  }
})

test('erases meetings with everything, and allows new ones', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    await withStore(folder.home, async (store) => {
      store.erase()
      expect(store.meetings.get('m')).toBeUndefined()
      expect(store.meetings.templates()).toEqual([])
      expect((await store.search.search({ query: 'edited', limit: 5 })).hits).toEqual([])
      store.meetings.create(aMeeting('m'))
      transcribeAt(store, 'm', 'a', 0, 0, ['fresh'])
      expect((await store.search.search({ query: 'fresh', limit: 5 })).hits).toHaveLength(1)
      store.items.purge(['m'])
    })
    const db = new Database(join(folder.home, 'library.db'))
    for (const [table, rows] of Object.entries(rowsOf(db))) expect(rows, table).toEqual([])
    db.close()
  } finally {
    folder.remove()
  }
})
