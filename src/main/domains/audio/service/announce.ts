import type { Meeting } from '../../../../shared/model/meeting.ts'
import type { Log } from '../../../deps.ts'
import type { MeetingStore } from '../store/meetings-types.ts'

/** Milliseconds between two notifications about the same meeting: its numbers change with every response. */
const everyMs = 300

/** Notifies pages of meeting changes, throttled. */
export interface Announcer {
  /** Notifies soon; several changes are combined. */
  changed(id: string): void
  /** Notifies immediately, with the current meeting. */
  now(id: string): void
  close(): void
}

/**
 * Creates the announcer; `tell` receives whole meetings. Meetings that no longer exist or cannot be read are skipped:
 * a row that only pages need must not cause the loss of audio or crash the app.
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
      log.warn('failed to report a meeting', { id, error })
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
