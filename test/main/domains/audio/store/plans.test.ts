import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import {
  createConnection,
  type Connection,
} from '../../../../../src/main/platform/database/connection.ts'
import { itemStore } from '../../../../../src/main/domains/library/store/items-store.ts'
import { meetingStore } from '../../../../../src/main/domains/audio/store/meetings-store.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { rebuildSearch } from '../../../../../src/main/domains/library/store/search-rebuild.ts'
import type { MeetingStore } from '../../../../../src/main/domains/audio/store/meetings-types.ts'
import { aLine, aMeeting, aVersion } from './fixture.ts'

/** Large tables that no query may scan completely or sort. */
const wide = /meeting_(segments|lines|readings|edits|speakers)|meetings|items/

/** Wraps a connection to record its statements. */
function noting(connection: Connection): Connection & { readonly statements: Set<string> } {
  const statements = new Set<string>()
  return {
    ...connection,
    get writable() {
      return connection.writable
    },
    statements,
    get: (sql, ...values) => (statements.add(sql), connection.get(sql, ...values)),
    all: (sql, ...values) => (statements.add(sql), connection.all(sql, ...values)),
    run: (sql, ...values) => (statements.add(sql), connection.run(sql, ...values)),
  }
}

/** Writes a day with 4,000 segments of two lines at once. */
function aDay(db: Database.Database, meetings: MeetingStore): void {
  meetings.create(aMeeting('day'))
  db.exec(`
    CREATE TEMP TABLE n AS WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 3999) SELECT n FROM n;
    INSERT INTO meeting_segments(id, item_seq, channel, start_ms, end_ms, state, forced_start, forced_end, voiced, reading_id)
      SELECT 's' || n, 1, n % 2, n * 21600, n * 21600 + 10000, 'done', 0, 0, '[]', 'r' || n FROM n;
    INSERT INTO meeting_readings(id, item_seq, segment_id, text, state, flags, model, account_id, account_name, at)
      SELECT 'r' || n, 1, 's' || n, 'number ' || n || ' said 然后说', 'current', '[]', 'm', 'a', 'A', n FROM n;
    INSERT INTO meeting_lines(id, item_seq, segment_id, channel, start_ms, end_ms, speaker_id, text, flags, model, account_name)
      SELECT 'l' || (2 * n + k), 1, 's' || n, n % 2, n * 21600 + k * 5000, n * 21600 + k * 5000 + 5000, 'id' || (n % 2),
        iif(k, '然后说', 'number ' || n || ' said'), '[]', 'm', 'A'
      FROM n, (SELECT 0 AS k UNION SELECT 1)`)
  rebuildSearch(db)
}

/** Queries that sort only a few rows: recent changes, waiting and failed segments, the versions of a segment or two. */
const small = [
  'm.state IN',
  'segment_id IN (SELECT value FROM json_each(?)) ORDER BY seq DESC',
  'GROUP BY l.segment_id',
  's.dismissed = 0',
]

test('reads no more than needed of a day with 8,000 lines, for queries and changes', () => {
  const db = new Database(':memory:')
  try {
    migrate(db)
    db.pragma('foreign_keys = ON')
    const connection = createConnection({ damage: () => undefined })
    connection.attach(db, true)
    let id = 0
    const ids = () => `id${id++}`
    const noted = noting(connection)
    const meetings = meetingStore(noted, () => 5, ids)
    const items = itemStore(noted)
    aDay(db, meetings)
    const lines = meetings.lines('day')
    expect(lines).toHaveLength(8000)
    const at = (place: number): string => lines[place]?.id ?? ''
    meetings.get('day')
    meetings.lines('day', 4000, 100)
    meetings.segments('day', 2000, 100)
    meetings.work('day', ['pending', 'inflight'])
    meetings.work('day', ['failed'])
    meetings.withWork()
    meetings.failures()
    meetings.dismissFailures('day')
    meetings.savePartial('s9', 'number')
    meetings.unlooked()
    meetings.inState(['recording'])
    meetings.importing()
    meetings.before('s3000', 3)
    const segment = meetings.segment('s3000')
    if (segment) expect(meetings.around(segment).before?.id).toBe('s2998')
    const search = { accountId: 'a', at: 5, except: ['s1'], exceptGroups: ['other'] }
    meetings.workAccounts()
    meetings.workOf('a')
    meetings.dueMeetings({ ...search, isLive: false, limit: 2 })
    meetings.openSegments('day', 5)
    meetings.nextToRetranscribe(search)
    meetings.nextTime(5)
    meetings.countOf(['a'])
    meetings.versions('day')
    meetings.versions('day', ['s5'])
    meetings.corrections('day', 20)
    expect(meetings.find('day', 'number 3210')).toHaveLength(1)
    meetings.wantAgain(['s9'], { accountId: 'a', prompt: '', hotwords: [] })
    meetings.propose(aVersion('new', 's9', 'other'))
    meetings.accept('new', [aLine('s9', 194_400, 'other')])
    meetings.edit('day', { type: 'text', lineId: at(4000), text: 'edited' })
    meetings.edit('day', { type: 'merge', lineIds: [at(4002), at(4003)] })
    meetings.edit('day', { type: 'split', lineId: at(4005), offset: 1, atMs: 0 })
    meetings.undo('day')
    meetings.redo('day')
    items.list({ bin: false, limit: 50 })
    items.list({ bin: false, limit: 50, kinds: ['meeting'] })
    items.summary('day')
    items.rename('day', 'A long day', 6)
    const bad: string[] = []
    for (const sql of noted.statements) {
      for (const row of db
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from(sql.matchAll(/\?/g), () => null))) {
        const scans = /^SCAN (\S+)/.exec(row.detail)?.[1] ?? ''
        const covered =
          /USING (COVERING )?INDEX (meetings_unlooked|meeting_segments_work|meeting_segments_failed)/.test(
            row.detail,
          )
        const list = /^SCAN i USING INDEX items_(live|binned)$/.test(row.detail)
        if ((wide.test(scans) || /^[a-z]$/.test(scans)) && !covered && !list)
          bad.push(`${row.detail}: ${sql}`)
        if (row.detail.includes('ORDER BY') && !small.some((part) => sql.includes(part)))
          bad.push(`${row.detail}: ${sql}`)
      }
    }
    expect(bad).toEqual([])
  } finally {
    db.close()
  }
})
