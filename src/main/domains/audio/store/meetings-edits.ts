import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { applyImages, createTracker, type Images, type Tracker } from './meetings-images.ts'
import { afterLines, linesById } from './meetings-lines.ts'
import { speakerResolver, speakerRows } from './meetings-rows.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import type { Changed } from './meetings-types.ts'

/** Maximum number of undoable changes of one meeting; older ones are deleted. */
const maxUndoSteps = 500

interface EditRow {
  readonly seq: number
  readonly before: string
  readonly after: string
}

/** Log of the user's transcript changes: every change stores the affected rows before and after. */
export interface EditLog {
  /** Runs a change in one transaction and logs it. Changes undone before it can no longer be redone. */
  change(seq: number, work: (tracker: Tracker) => void): Changed
  undo(seq: number): Changed
  redo(seq: number): Changed
  /** Returns whether there is something to undo and to redo. */
  depth(seq: number): { readonly canUndo: boolean; readonly canRedo: boolean }
  /**
   * Call when a segment received new lines: deletes undone changes that would bring back its old ones, and all later ones.
   */
  discardUndone(seq: number, segmentId: string): void
}

/** Creates the edit log of a connection. */
export function editLog(connection: Connection, clock: Clock): EditLog {
  const at = (seq: number, undone: 0 | 1): EditRow | undefined =>
    connection.get<EditRow>(
      `SELECT seq, before, after FROM meeting_edits WHERE item_seq = ? AND undone = ?
       ORDER BY seq ${undone ? 'ASC' : 'DESC'} LIMIT 1`,
      seq,
      undone,
    )

  function step(seq: number, undone: 0 | 1): Changed {
    return connection.transaction(() => {
      const row = at(seq, undone)
      if (!row) throw new AppError('REFUSED', undone ? 'Nothing to redo' : 'Nothing to undo')
      const before = parsed<Images>(row.before)
      const after = parsed<Images>(row.after)
      if (!before || !after) {
        connection.run('DELETE FROM meeting_edits WHERE seq = ?', row.seq)
        throw new AppError('REFUSED', 'The change can no longer be read')
      }
      connection.run('UPDATE meeting_edits SET undone = ? WHERE seq = ?', 1 - undone, row.seq)
      const [from, to] = undone ? [before, after] : [after, before]
      return collectChanges(seq, from, to, () => applyImages(connection, from, to))
    })
  }

  /** Returns where segments with another version begin: earlier ones are searched there. */
  function changedVersionStarts(from: Images, to: Images): readonly number[] {
    const before = new Map(from.segments.map((segment) => [segment.id, segment.reading_id]))
    const changed = to.segments.filter(({ id, reading_id: now }) => before.get(id) !== now)
    return changed.flatMap(({ id }) => {
      const sql = 'SELECT start_ms FROM meeting_segments WHERE id = ?'
      return connection.get<{ start_ms: number }>(sql, id)?.start_ms ?? []
    })
  }

  /** Does the work and returns the changed lines, including those whose speaker changed. */
  function collectChanges(seq: number, from: Images, to: Images, work: () => void): Changed {
    const resolveBefore = speakerResolver([
      ...speakerRows(connection, seq).filter((row) => !from.speakers.some((s) => s.id === row.id)),
      ...from.speakers,
    ])
    work()
    const starts = [...changedLineStarts(from, to), ...changedVersionStarts(from, to)]
    afterLines(connection, seq, starts, clock())
    const now = speakerRows(connection, seq)
    const resolve = speakerResolver(now)
    const moved = now.map((row) => row.id).filter((id) => resolve(id) !== resolveBefore(id))
    const others =
      moved.length === 0
        ? []
        : connection
            .all<{ id: string }>(
              `SELECT id FROM meeting_lines WHERE item_seq = ? AND speaker_id IN (SELECT value FROM json_each(?))`,
              seq,
              JSON.stringify(moved),
            )
            .map((line) => line.id)
    const currentIds = new Set(to.lines.map((line) => line.id))
    return {
      lines: linesById(connection, seq, [...currentIds, ...others]),
      removed: from.lines.map((line) => line.id).filter((id) => !currentIds.has(id)),
      segmentIds: to.segments.map((segment) => segment.id),
    }
  }

  return {
    change(seq, work) {
      return connection.transaction(() => {
        const tracker = createTracker(connection, seq)
        work(tracker)
        const { before, after } = tracker.images()
        const [was, is] = [JSON.stringify(before), JSON.stringify(after)]
        // Nothing changed: there is nothing to undo, and undone changes can still be redone.
        if (was === is) return { lines: [], removed: [] }
        connection.run('DELETE FROM meeting_edits WHERE item_seq = ? AND undone = 1', seq)
        connection.run(
          'INSERT INTO meeting_edits(item_seq, before, after) VALUES (?, ?, ?)',
          seq,
          was,
          is,
        )
        connection.run(
          `DELETE FROM meeting_edits WHERE item_seq = ? AND seq <= (
             SELECT seq FROM meeting_edits WHERE item_seq = ? AND undone = 0 ORDER BY seq DESC LIMIT 1 OFFSET ${maxUndoSteps})`,
          seq,
          seq,
        )
        return collectChanges(seq, before, after, () => undefined)
      })
    },
    undo: (seq) => step(seq, 0),
    redo: (seq) => step(seq, 1),
    depth: (seq) => ({ canUndo: at(seq, 0) !== undefined, canRedo: at(seq, 1) !== undefined }),
    discardUndone(seq, segmentId) {
      const undone = connection.all<EditRow>(
        'SELECT seq, before, after FROM meeting_edits WHERE item_seq = ? AND undone = 1 ORDER BY seq',
        seq,
      )
      const stale = undone.find((row) => touches(row.before, segmentId))
      if (stale)
        connection.run(
          'DELETE FROM meeting_edits WHERE item_seq = ? AND undone = 1 AND seq >= ?',
          seq,
          stale.seq,
        )
    },
  }
}

/** Returns where text was added, removed or changed: a line with another speaker has the same text. */
function changedLineStarts(from: Images, to: Images): readonly number[] {
  const words = new Map(from.lines.map((line) => [line.id, line]))
  const starts: number[] = []
  for (const line of to.lines) {
    const was = words.get(line.id)
    words.delete(line.id)
    if (was?.text === line.text && was.start_ms === line.start_ms) continue
    starts.push(line.start_ms)
    if (was) starts.push(was.start_ms)
  }
  return [...starts, ...Array.from(words.values(), (line) => line.start_ms)]
}

function touches(before: string, segmentId: string): boolean {
  const images = parsed<Images>(before)
  if (!images) return true
  return (
    images.segments.some((segment) => segment.id === segmentId) ||
    images.lines.some((line) => line.segment_id === segmentId)
  )
}
