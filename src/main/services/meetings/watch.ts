import { setTimeout as sleep } from 'node:timers/promises'
import type { Segment } from '../../../shared/model/meeting.ts'
import type { Ids, Log, WorkerUrl } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import type { ActivityAnswer, ActivityRequest } from '../../audio/activity-messages.ts'
import type { MeetingStore } from '../../store/meetings-types.ts'
import { createWorkerClient } from '../../workers/client.ts'
import type { WorkerClient } from '../../workers/client.ts'
import type { FolderOf, VoiceWatch } from './parts.ts'
import { watchMeeting } from './watch-meeting.ts'
import type { MeetingWatch } from './watch-meeting.ts'

export interface VoiceWatchDeps {
  readonly workerUrl: WorkerUrl
  readonly modelsDir: string
  readonly folderOf: FolderOf
  readonly store: Pick<MeetingStore, 'analysed' | 'segments' | 'addSegments'>
  readonly ids: Ids
  readonly log: Log
  /** Called with segments that were found and are in the store. */
  onSegments(id: string, segments: readonly Segment[]): void
  /** Called when a meeting was given up after several attempts; the next nudge tries again from the stored position. */
  onFailure(id: string, error: AppError): void
  /** Waits between attempts, in milliseconds; ends early on the signal. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds after which an unresponsive worker is restarted: a run takes seconds, and may be queued behind others. */
const maxAnswerMs = 300_000

/** The worker for voice activity detection. */
export type ActivityWorker = Pick<WorkerClient<ActivityRequest, ActivityAnswer | null>, 'call'>

/**
 * Finds segments of live and of imported meetings, each type with a separate worker: a long file never delays live speech.
 * A worker is started by the first run and ended when there is no more work.
 */
export function createVoiceWatch(deps: VoiceWatchDeps): VoiceWatch {
  const client = (name: string): WorkerClient<ActivityRequest, ActivityAnswer | null> =>
    createWorkerClient({
      url: deps.workerUrl('voice-activity'),
      name,
      data: { modelsDir: deps.modelsDir },
      timeoutMs: maxAnswerMs,
    })
  const workers = {
    live: client('Live voice activity detection'),
    imports: client('Voice activity detection'),
  }
  const meetings = new Map<string, { readonly watch: MeetingWatch; readonly live: boolean }>()
  const closing = new AbortController()
  const wait =
    deps.wait ??
    ((ms: number, signal: AbortSignal) =>
      sleep(ms, undefined, { signal, ref: false }).catch(() => undefined))

  /** Releases a session's audio; an idle worker would keep a model in memory for nothing. */
  async function release(id: string, live: boolean): Promise<void> {
    if (closing.signal.aborted) return
    const worker = workers[live ? 'live' : 'imports']
    const others = Array.from(meetings.values()).some((each) => each.live === live)
    if (!others) return worker.stop()
    await worker.call({ type: 'forget', folder: deps.folderOf(id) }).catch(() => null)
  }

  async function forget(id: string): Promise<void> {
    const known = meetings.get(id)
    if (!known) return
    await known.watch.end()
    if (meetings.get(id) === known) meetings.delete(id)
    await release(id, known.live)
  }

  return {
    nudge(id, how) {
      if (closing.signal.aborted) return
      let known = meetings.get(id)
      if (!known) {
        const watch = watchMeeting(id, how.live, {
          ...deps,
          worker: workers[how.live ? 'live' : 'imports'],
          wait: (ms, signal) => wait(ms, AbortSignal.any([signal, closing.signal])),
          onDone: () => {
            if (meetings.get(id)?.watch !== watch) return
            meetings.delete(id)
            void release(id, how.live)
          },
        })
        known = { watch, live: how.live }
        meetings.set(id, known)
      }
      known.watch.nudge(how.last)
    },
    settled: async (id) => {
      await meetings.get(id)?.watch.settled()
    },
    forget,
    async close() {
      closing.abort()
      const ends = Array.from(meetings.values(), ({ watch }) => watch.end())
      meetings.clear()
      // Active runs end with their workers.
      await Promise.all([workers.live.close(), workers.imports.close(), ...ends])
    },
  }
}
