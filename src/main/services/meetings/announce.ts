import type { Meeting } from '../../../shared/model/meeting.ts'
import type { Log } from '../../deps.ts'
import type { MeetingStore } from '../../store/meetings-types.ts'

/** Milliseconds between two tellings of the same meeting: its numbers change with every answer. */
const everyMs = 300

/** Tells pages what became of a meeting, not oftener than needed. */
export interface Announcer {
  /** Soon; several changes are told at once. */
  changed(id: string): void
  /** At once, with the meeting as it is now. */
  now(id: string): void
  close(): void
}

/**
 * Builds the announcer; `tell` gets whole meetings. Meetings that are gone meanwhile are not told, nor is one that cannot be read:
 * nobody may lose sound, or the app, to a row that only pages wait for.
 */
export function createAnnouncer(
  store: Pick<MeetingStore, 'get'>,
  report: (meeting: Meeting) => void,
  log: Log,
): Announcer {
  const timers = new Map<string, NodeJS.Timeout>()
  let closed = false
  const now = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    if (closed) return
    try {
      const meeting = store.get(id)
      if (meeting) report(meeting)
    } catch (error) {
      log.warn('a meeting could not be told', { id, error })
    }
  }
  return {
    now,
    changed(id) {
      if (!closed && !timers.has(id)) timers.set(id, setTimeout(() => now(id), everyMs).unref())
    },
    close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
