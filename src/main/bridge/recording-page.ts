import { AppError } from '../errors.ts'

/** Which page records: one at a time, since all would record the same microphone and the same sound of the computer. */
export interface RecordingPage {
  /** Begins a recording of this page. Throws REFUSED while another page that is still connected records. */
  begin<T>(connectionId: string, work: () => Promise<T>): Promise<T>
  /** Something is recorded now, or not any more. */
  live(live: boolean): void
  /** The connection of the page that records; null while nothing is recorded. */
  current(): string | null
}

/** Watches over it. A page that is gone (closed, crashed, loaded anew) keeps no other one from recording. */
export function createRecordingPage(isConnected: (connectionId: string) => boolean): RecordingPage {
  let holder: string | null = null
  return {
    async begin(connectionId, work) {
      if (holder !== null && holder !== connectionId && isConnected(holder))
        throw new AppError('REFUSED', 'Another window records', {
          params: { problem: 'otherWindow' },
        })
      const before = holder
      // Before the recording is live, so that nobody else begins one meanwhile.
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
