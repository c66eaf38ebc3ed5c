import type { MeetingsDeps } from '../service/meetings.ts'
import type { Pages } from '../../../platform/bridge/events.ts'

/** Sends meeting events to every page. */
export const meetingEvents = (
  pages: Pages,
): Pick<
  MeetingsDeps,
  'onMeeting' | 'onLines' | 'onPartial' | 'onProgress' | 'onLibrary' | 'onStopRecording'
> => ({
  onMeeting: (meeting) => pages.emit({ type: 'meeting.changed', meeting }),
  onLines: (id, change) => pages.emit({ type: 'meeting.lines', id, ...change }),
  onPartial: (id, segmentId, text) => pages.emit({ type: 'meeting.partial', id, segmentId, text }),
  onProgress: ({ full: _full, ...progress }) =>
    pages.emit({ type: 'meeting.recording', ...progress }),
  onStopRecording: () => pages.emit({ type: 'page.command', command: 'record-stop' }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
