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

/** What the watch needs. */
export interface VoiceWatchDeps {
  readonly workerUrl: WorkerUrl
  readonly modelsDir: string
  readonly folderOf: FolderOf
  readonly store: Pick<MeetingStore, 'analysed' | 'segments' | 'addSegments'>
  readonly ids: Ids
  readonly log: Log
  /** Segments that were found and are in the store. */
  onSegments(id: string, segments: readonly Segment[]): void
  /** Looking at a meeting was given up after several tries; the next nudge tries again from where the store is. */
  onFailure(id: string, error: AppError): void
  /** Waits between tries, in milliseconds; ends early by the signal. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds after which a worker that does not answer is ended and begun anew: a look takes seconds, and may stand behind others. */
const maxAnswerMs = 300_000

/** Voice activity's worker. */
export type ActivityWorker = Pick<WorkerClient<ActivityRequest, ActivityAnswer | null>, 'call'>

/**
 * Finds segments of live and of imported meetings, each kind with a worker of its own: a long file never makes what is spoken now
 * wait. A worker is started by the first look and ended when nothing is left to look at.
 */
export function createVoiceWatch(deps: VoiceWatchDeps): VoiceWatch {
  const client = (name: string): WorkerClient<ActivityRequest, ActivityAnswer | null> =>
    createWorkerClient({
      url: deps.workerUrl('voice-activity'),
      name,
      data: { modelsDir: deps.modelsDir },
      timeoutMs: maxAnswerMs,
    })
  const workers = { live: client('Live voice activity'), imports: client('Voice activity') }
  const meetings = new Map<string, { readonly watch: MeetingWatch; readonly live: boolean }>()
  const closing = new AbortController()
  const wait =
    deps.wait ??
    ((ms: number, signal: AbortSignal) =>
      sleep(ms, undefined, { signal, ref: false }).catch(() => undefined))

  /** Lets go of a session's sound; a worker without meetings would hold a model in memory for nothing. */
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
      // Looks that are under way end with their workers.
      await Promise.all([workers.live.close(), workers.imports.close(), ...ends])
    },
  }
}
