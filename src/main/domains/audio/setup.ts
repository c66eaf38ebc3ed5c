import type { Works } from '../../background-work.ts'
import type { Pages } from '../../platform/bridge/events.ts'
import type { Context } from '../../context.ts'
import { meetingHandlers } from './routes.ts'
import { createRecordingPage } from './service/recording/recording-page.ts'
import { createMeetings } from './service/meetings.ts'

/** Meetings: recordings, imports, transcripts and summaries. */
export function setupAudio(
  context: Context,
  needs: {
    readonly pages: Pick<Pages, 'isConnected'>
    /** Called when a recording starts or ends. */
    onRecording(live: boolean): void
  },
) {
  const { emit, setWaiting } = context
  const recordingPage = createRecordingPage(needs.pages.isConnected)
  const meetings = createMeetings({
    ...context,
    onMeeting: (meeting) => emit({ type: 'meeting.changed', meeting }),
    onLines: (id, change) => emit({ type: 'meeting.lines', id, ...change }),
    onPartial: (id, segmentId, text) => emit({ type: 'meeting.partial', id, segmentId, text }),
    onProgress: ({ full: _full, ...progress }) => emit({ type: 'meeting.recording', ...progress }),
    onStopRecording: () => emit({ type: 'page.command', command: 'record-stop' }),
    onLibrary: (itemIds) => emit({ type: 'library.changed', itemIds }),
    onWaiting: (count) => setWaiting('meetings', count),
    onLive(live) {
      recordingPage.live(live)
      context.onRecording?.(live, recordingPage.current())
      needs.onRecording(live)
    },
  })
  return {
    meetings,
    isRecording: () => recordingPage.current() !== null,
    work: { meetings: [meetings] } satisfies Works,
    handlers: meetingHandlers(meetings, context.calls, recordingPage),
  }
}
