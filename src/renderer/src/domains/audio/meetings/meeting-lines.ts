import type { Line, Segment } from '../../../../../shared/model/meeting.ts'
import { inOrder } from './in-order.ts'

/** Changes of a meeting's transcript. */
export interface LinesChange {
  readonly lines: readonly Line[]
  readonly removed: readonly string[]
  readonly segments: readonly Segment[]
}

/** Lines and segments of one meeting, loaded in pages while changes arrive. */
interface MeetingLines {
  /** Adds a page from main; data changed since loading began is newer, and stays. */
  page(page: Omit<LinesChange, 'removed'>): void
  /** Applies a change; changes arrive in order. */
  change(change: LinesChange): void
  /** Clears everything, to load again. */
  clear(): void
  /** Ends loading: from now on no data is older than a change. */
  settle(): void
  /** Whether lines were removed since loading began: pages may have skipped a line. */
  readonly moved: boolean
  lines(): readonly Line[]
  segments(): readonly Segment[]
}

/** Creates an empty collection. */
export function createMeetingLines(): MeetingLines {
  const lines = new Map<string, Line>()
  const segments = new Map<string, Segment>()
  const touched = new Set<string>()
  let moved = false
  return {
    page(page) {
      for (const line of page.lines) if (!touched.has(line.id)) lines.set(line.id, line)
      for (const one of page.segments) if (!touched.has(one.id)) segments.set(one.id, one)
    },
    change(change) {
      for (const id of change.removed) {
        lines.delete(id)
        touched.add(id)
        moved = true
      }
      for (const line of change.lines) {
        lines.set(line.id, line)
        touched.add(line.id)
      }
      for (const one of change.segments) {
        segments.set(one.id, one)
        touched.add(one.id)
      }
    },
    clear() {
      lines.clear()
      segments.clear()
      touched.clear()
      moved = false
    },
    settle() {
      touched.clear()
      moved = false
    },
    get moved() {
      return moved
    },
    lines: () => inOrder(lines.values()),
    segments: () => inOrder(segments.values()),
  }
}
