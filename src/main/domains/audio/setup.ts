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
    /** Called when a recording starts, continues or ends. */
    onRecording(live: boolean): void
  },
) {
  const recordingPage = createRecordingPage(needs.pages.isConnected)
  const meetings = createMeetings({
    ...context,
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
    handlers: meetingHandlers(meetings, recordingPage),
  }
}
