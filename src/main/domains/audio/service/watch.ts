import { setTimeout as sleep } from 'node:timers/promises'
import type { Segment } from '../../../../shared/model/meeting.ts'
import type {
  ActivityAnswer,
  ActivityRequest,
} from '../../../platform/audio/voice-activity/activity.ts'
import type { OpenSpeech } from '../../../platform/audio/voice-activity/segmenter.ts'
import type { Ids, Log, WorkerUrl } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { MeetingStore } from '../store/meetings-types.ts'
import { createWorkerClient, type WorkerClient } from '../../../platform/workers/client.ts'
import type { FolderOf } from './audio-worker.ts'

/** Finds segments off the main thread and puts them into the store. */
export interface VoiceWatch {
  /** Reports new audio (`last`: and no more will follow). Returns at once; runs are sequential for each meeting. */
  nudge(id: string, how: { readonly live: boolean; readonly last: boolean }): void
  /** Resolves when no run of this meeting is active. */
  settled(id: string): Promise<void>
  forget(id: string): Promise<void>
  close(): Promise<void>
}

interface VoiceWatchDeps {
  readonly workerUrl: WorkerUrl
  readonly modelsDir: string
  readonly folderOf: FolderOf
  readonly store: Pick<MeetingStore, 'analysed' | 'segments' | 'addSegments'>
  readonly ids: Ids
  readonly log: Log
  /** Called with segments that were found and are in the store. */
  onSegments(id: string, segments: readonly Segment[]): void
  /** Called after each run of a live meeting with the speech of a channel that has not ended; null if there is none. */
  onSpeech?(id: string, channel: number, speech: OpenSpeech | null): void
  /** Called when a meeting was given up after several attempts; the next nudge tries again from the stored position. */
  onFailure(id: string, error: AppError): void
  /** Waits between attempts, in milliseconds; ends early on the signal. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds after which an unresponsive worker is restarted: a run takes seconds, and may be queued behind others. */
const maxAnswerMs = 300_000

/** The worker for voice activity detection. */
type ActivityWorker = Pick<WorkerClient<ActivityRequest, ActivityAnswer | null>, 'call'>

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

/** Voice activity detection of one meeting. */
interface MeetingWatch {
  /** Reports new audio; after a `last` no more will follow. */
  nudge(last: boolean): void
  /** Resolves when no run is active. */
  settled(): Promise<void>
  /** Stops; resolves when the last run has ended. */
  end(): Promise<void>
}

/** Dependencies of one meeting's watch, in addition to those of all. */
interface MeetingWatchDeps extends Omit<VoiceWatchDeps, 'wait'> {
  readonly worker: ActivityWorker
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Called when all audio was processed, or given up: no resources are held any more. */
  onDone(): void
}

/** Maximum audio per run, in milliseconds: other meetings get their turn in between. A file's gate is a hundred times as fast. */
const maxMs = { live: 60_000, imports: 300_000 } as const
/** Pauses before each retry; after the last one it is given up. */
const pauses = [200, 1_000, 5_000, 15_000]

/** Position where the next run on a channel starts. */
interface Place {
  readonly ms: number
  readonly forced: boolean
}

/** Processes all channels in turn until there is no new audio, each time it is nudged. */
function watchMeeting(id: string, live: boolean, deps: MeetingWatchDeps): MeetingWatch {
  const { store, worker } = deps
  const folder = deps.folderOf(id)
  const ended = new AbortController()
  let last = false
  let wanted = false
  let running: Promise<void> = Promise.resolve()
  let busy = false
  let gateReported = false
  let places: Place[] = []

  async function run(): Promise<void> {
    const failure = await inspectPending().then(
      () => null,
      (error: unknown) => asAppError(error),
    )
    if (failure && !ended.signal.aborted) deps.onFailure(id, failure)
    busy = false
    if (wanted && !failure) return start()
    wanted = false
    if ((failure || last) && !ended.signal.aborted) deps.onDone()
  }

  function start(): void {
    if (ended.signal.aborted) return
    busy = true
    running = run()
  }

  async function inspectPending(): Promise<void> {
    const known = await patiently(readPlaces)
    if (known) places = known
    while (known && wanted && !ended.signal.aborted) {
      wanted = false
      await inspectAll(last)
    }
  }

  async function inspectAll(closing: boolean): Promise<void> {
    const open = new Set(places.keys())
    while (open.size > 0 && !ended.signal.aborted) {
      for (const channel of open) {
        const done = await inspect(channel, closing)
        if (done) open.delete(channel)
      }
    }
  }

  /** Runs once on one channel; its results are in the store when this resolves. */
  async function inspect(channel: number, closing: boolean): Promise<boolean> {
    const place = places[channel] ?? { ms: 0, forced: false }
    const found = await patiently(() =>
      worker.call({
        type: 'inspect',
        folder,
        channel,
        fromMs: place.ms,
        forced: place.forced,
        last: closing,
        live,
        maxMs: live ? maxMs.live : maxMs.imports,
      }),
    )
    if (ended.signal.aborted || !found) return true
    if (found.gateAlone && !gateReported)
      deps.log.warn('the voice activity model is missing', { id })
    gateReported ||= found.gateAlone === true
    await keep(channel, place, found)
    places[channel] = { ms: found.analysedMs, forced: found.forced }
    if (live && found.done) deps.onSpeech?.(id, channel, found.speech)
    return found.done
  }

  async function keep(channel: number, place: Place, found: ActivityAnswer): Promise<void> {
    if (found.segments.length === 0 && found.analysedMs === place.ms) return
    const segments = found.segments.map((segment) => ({ ...segment, id: deps.ids(), channel }))
    const added = await patiently(() => store.addSegments(id, channel, segments, found.analysedMs))
    if (added && added.length > 0) deps.onSegments(id, added)
  }

  /**
   * Reads the positions from the store. Called every second of a recording: segments are read only if the position was not changed by
   * this watch.
   */
  function readPlaces(): Place[] {
    const analysed = store.analysed(id)
    const still = analysed.every((ms, channel) => places[channel]?.ms === ms)
    if (still && analysed.length === places.length) return places
    const begun = analysed.some((ms) => ms > 0)
    const segments: readonly Segment[] = begun ? store.segments(id) : []
    return analysed.map((ms, channel) => {
      const forced = segments.some(
        (segment) => segment.channel === channel && segment.forcedEnd && segment.endMs > ms,
      )
      return { ms, forced }
    })
  }

  /** Retries failures after a pause; final errors fail at once. Undefined after the end. */
  async function patiently<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (ended.signal.aborted) return undefined
        const pause = pauses[attempt]
        if (pause === undefined || isFinal(error)) throw error
        deps.log.warn('retrying voice activity detection', { id, attempt: attempt + 1 })
        await deps.wait(pause, ended.signal)
        if (ended.signal.aborted) return undefined
      }
    }
  }

  return {
    nudge(isLast) {
      if (ended.signal.aborted) return
      last ||= isLast
      wanted = true
      if (!busy) start()
    },
    async settled() {
      while (busy) await running
    },
    async end() {
      ended.abort()
      await running
    },
  }
}

/** Errors that a retry would not change: the meeting or its audio no longer exists. */
const final: ReadonlySet<unknown> = new Set(['NOT_FOUND', 'REFUSED', 'FILE_MISSING'])

function isFinal(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  const { cause } = error
  return (
    final.has(error.code) || (cause instanceof Error && 'code' in cause && final.has(cause.code))
  )
}

const asAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('INTERNAL', 'Voice activity detection failed', { cause: error })
