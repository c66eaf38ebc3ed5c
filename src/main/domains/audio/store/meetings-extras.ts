import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  Bookmark,
  Gap,
  MeetingSummaryText,
  Span,
  SummaryTemplate,
} from '../../../../shared/model/meeting.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { meetingSeq } from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { jsonOrNull } from './meetings-segments.ts'
import type { MeetingStore } from './meetings-types.ts'

/** Store methods for data next to the transcript: suggested titles, bookmarks, gaps, summaries, templates. */
export function extraStore(
  connection: Connection,
): Pick<
  MeetingStore,
  | 'untitled'
  | 'suggestTitles'
  | 'dismissTitles'
  | 'addBookmark'
  | 'renameBookmark'
  | 'removeBookmark'
  | 'addGap'
  | 'setGaps'
  | 'putSummary'
  | 'removeSummary'
  | 'runningSummaries'
  | 'templates'
  | 'putTemplate'
  | 'removeTemplate'
> {
  const addGap = (seq: number, gap: Gap): void =>
    void connection.run(
      'INSERT OR REPLACE INTO meeting_gaps(id, item_seq, channel, start_ms, end_ms, reason) VALUES (?, ?, ?, ?, ?, ?)',
      gap.id,
      seq,
      gap.channel,
      gap.startMs,
      gap.endMs,
      gap.reason,
    )
  const countGaps = (seq: number): void =>
    void connection.run(
      'UPDATE meetings SET gaps_ms = ? WHERE item_seq = ?',
      covered(gapsOf(connection, seq)),
      seq,
    )
  const assertChange = (changes: number, what: string): void => {
    if (changes === 0) throw new AppError('NOT_FOUND', `The ${what} was not found`)
  }

  return {
    untitled: () =>
      connection
        .all<{ id: string; account_id: string }>(
          `SELECT i.id, m.account_id FROM meetings m INDEXED BY meetings_untitled CROSS JOIN items i ON i.seq = m.item_seq
           WHERE m.title_state = 'wanted' AND m.state = 'stopped' AND m.transcribed_ms > 0 AND m.waiting = 0
             AND m.analysed_ms >= m.duration_ms AND i.title = m.automatic_title AND i.deleted_at IS NULL
           ORDER BY m.item_seq`,
        )
        .map((row) => ({ id: row.id, accountId: row.account_id })),
    suggestTitles(id, suggestion) {
      connection.run(
        `UPDATE meetings SET title_state = ?, suggested_titles = ?
         WHERE item_seq = (SELECT seq FROM items WHERE id = ?) AND title_state IN ('wanted', 'offered')`,
        suggestion ? 'offered' : 'none',
        jsonOrNull(suggestion),
        id,
      )
    },
    dismissTitles(id, dismissed) {
      const [from, to] = dismissed ? ['offered', 'dismissed'] : ['dismissed', 'offered']
      connection.run(
        'UPDATE meetings SET title_state = ? WHERE item_seq = ? AND title_state = ?',
        to ?? '',
        meetingSeq(connection, id),
        from ?? '',
      )
    },
    addBookmark(id, bookmark) {
      connection.run(
        'INSERT INTO meeting_bookmarks(id, item_seq, at_ms, label) VALUES (?, ?, ?, ?)',
        bookmark.id,
        meetingSeq(connection, id),
        bookmark.atMs,
        bookmark.label,
      )
    },
    renameBookmark(bookmarkId, label) {
      const sql = 'UPDATE meeting_bookmarks SET label = ? WHERE id = ?'
      assertChange(connection.run(sql, label, bookmarkId).changes, 'bookmark')
    },
    removeBookmark(bookmarkId) {
      const sql = 'DELETE FROM meeting_bookmarks WHERE id = ?'
      assertChange(connection.run(sql, bookmarkId).changes, 'bookmark')
    },
    addGap(id, gap) {
      connection.transaction(() => {
        const seq = meetingSeq(connection, id)
        addGap(seq, gap)
        countGaps(seq)
      })
    },
    setGaps(id, gaps) {
      connection.transaction(() => {
        const seq = meetingSeq(connection, id)
        connection.run('DELETE FROM meeting_gaps WHERE item_seq = ?', seq)
        for (const gap of gaps) addGap(seq, gap)
        countGaps(seq)
      })
    },
    putSummary(id, summary) {
      const { changes } = connection.run(
        `INSERT INTO meeting_summaries(id, item_seq, template_id, template_name, state, points, engine, error, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET template_id = excluded.template_id, template_name = excluded.template_name,
           state = excluded.state, points = excluded.points, engine = excluded.engine, error = excluded.error,
           at = excluded.at WHERE item_seq = excluded.item_seq`,
        summary.id,
        meetingSeq(connection, id),
        summary.templateId,
        summary.templateName,
        summary.state,
        JSON.stringify(summary.points),
        summary.engine,
        jsonOrNull(summary.error),
        summary.at,
      )
      // The caller chooses the ID: it must not overwrite the summary of another meeting.
      if (changes === 0)
        throw new AppError('REFUSED', 'The ID belongs to a summary of another meeting')
    },
    removeSummary(summaryId) {
      const sql = 'DELETE FROM meeting_summaries WHERE id = ?'
      assertChange(connection.run(sql, summaryId).changes, 'summary')
    },
    runningSummaries: () =>
      connection
        .all<SummaryRow & { meeting_id: string }>(
          `SELECT s.*, i.id AS meeting_id FROM meeting_summaries s JOIN items i ON i.seq = s.item_seq
           WHERE s.state = 'running' ORDER BY s.seq`,
        )
        .map((row) => ({ meetingId: row.meeting_id, summary: summaryOf(row) })),
    templates: () =>
      connection
        .all<{ id: string; name: string; built_in: number; sections: string }>(
          'SELECT * FROM summary_templates ORDER BY built_in DESC, seq',
        )
        .map((row) => ({
          id: row.id,
          name: row.name,
          builtIn: row.built_in !== 0,
          sections: parsed<SummaryTemplate['sections']>(row.sections) ?? [],
        })),
    putTemplate(template) {
      connection.run(
        `INSERT INTO summary_templates(id, name, built_in, sections) VALUES (?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET name = excluded.name, built_in = excluded.built_in, sections = excluded.sections`,
        template.id,
        template.name,
        template.builtIn ? 1 : 0,
        JSON.stringify(template.sections),
      )
    },
    removeTemplate(templateId) {
      const sql = 'DELETE FROM summary_templates WHERE id = ?'
      assertChange(connection.run(sql, templateId).changes, 'template')
    },
  }
}

/** Returns a meeting's gaps in chronological order. */
export const gapsOf = (connection: Connection, seq: number): readonly Gap[] =>
  connection
    .all<{
      id: string
      channel: number | null
      start_ms: number
      end_ms: number
      reason: Gap['reason']
    }>('SELECT * FROM meeting_gaps WHERE item_seq = ? ORDER BY start_ms, seq', seq)
    .map((row) => ({
      id: row.id,
      channel: row.channel,
      startMs: row.start_ms,
      endMs: row.end_ms,
      reason: row.reason,
    }))

/** Returns a meeting's bookmarks in chronological order. */
export const bookmarksOf = (connection: Connection, seq: number): readonly Bookmark[] =>
  connection
    .all<{ id: string; at_ms: number; label: string }>(
      'SELECT * FROM meeting_bookmarks WHERE item_seq = ? ORDER BY at_ms, seq',
      seq,
    )
    .map((row) => ({ id: row.id, atMs: row.at_ms, label: row.label }))

interface SummaryRow {
  readonly id: string
  readonly template_id: string
  readonly template_name: string
  readonly state: MeetingSummaryText['state']
  readonly points: string
  readonly engine: string
  readonly error: string | null
  readonly at: number
}

const summaryOf = (row: SummaryRow): MeetingSummaryText => ({
  id: row.id,
  templateId: row.template_id,
  templateName: row.template_name,
  state: row.state,
  points: parsed<MeetingSummaryText['points']>(row.points) ?? [],
  engine: row.engine,
  error: parsed<Failure>(row.error),
  at: row.at,
})

/** Returns a meeting's summaries, newest first. */
export const summariesOf = (connection: Connection, seq: number): readonly MeetingSummaryText[] =>
  connection
    .all<SummaryRow>('SELECT * FROM meeting_summaries WHERE item_seq = ? ORDER BY seq DESC', seq)
    .map(summaryOf)

/** Returns the milliseconds covered by spans in start order, counting overlaps once. */
function covered(spans: readonly Span[]): number {
  let sum = 0
  let reached = 0
  for (const { startMs, endMs } of spans) {
    sum += Math.max(0, endMs - Math.max(startMs, reached))
    reached = Math.max(reached, endMs)
  }
  return sum
}
