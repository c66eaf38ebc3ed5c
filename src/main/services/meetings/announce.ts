import type { Meeting } from '../../../shared/model/meeting.ts'
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

/** Builds the announcer; `tell` gets whole meetings. Meetings that are gone meanwhile are not told. */
export function createAnnouncer(
  store: Pick<MeetingStore, 'get'>,
  tell: (meeting: Meeting) => void,
): Announcer {
  const timers = new Map<string, NodeJS.Timeout>()
  const now = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const meeting = store.get(id)
    if (meeting) tell(meeting)
  }
  return {
    now,
    changed(id) {
      if (!timers.has(id)) timers.set(id, setTimeout(() => now(id), everyMs).unref())
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
