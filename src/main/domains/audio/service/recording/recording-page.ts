import { AppError } from '../../../../errors.ts'

/**
 * Page that is recording: one at a time, since all would record the same microphone and the same computer audio.
 */
export interface RecordingPage {
  /** Starts a recording for this page. Throws REFUSED while another connected page is recording. */
  begin<T>(connectionId: string, work: () => Promise<T>): Promise<T>
  /** Reports whether a recording is running. */
  live(live: boolean): void
  /** Connection of the page that is recording; null while nothing is being recorded. */
  current(): string | null
}

/**
 * Creates the registry. A page that is gone (closed, crashed, reloaded) does not prevent others from recording.
 */
export function createRecordingPage(isConnected: (connectionId: string) => boolean): RecordingPage {
  let holder: string | null = null
  return {
    async begin(connectionId, work) {
      if (holder !== null && holder !== connectionId && isConnected(holder))
        throw new AppError('REFUSED', 'Another window is already recording', {
          params: { problem: 'otherWindow' },
        })
      const before = holder
      // Set before the recording is live, so that no other page starts one in the meantime.
      holder = connectionId
      try {
        return await work()
      } catch (error) {
        if (holder === connectionId) holder = before
        throw error
      }
    },
    live(live) {
      if (!live) holder = null
    },
    current: () => holder,
  }
}
