import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { CaptureEvent, Meeting, MeetingState } from '../../../../shared/model/meeting.ts'
import { localMinute } from '../../../../shared/text/local-time.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import type { MeetingStore, NewMeeting } from '../store/meetings-types.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import { isStoreProblem, persist } from '../../../platform/database/persist.ts'
import type { Announcer } from '../../../platform/bridge/announcer.ts'
import type { Capture, CaptureProgress } from './recording/capture.ts'
import type { RecoveredSession } from './recording/recover.ts'
import type { VoiceWatch } from './watch.ts'

/** Dependencies of live recordings. */
interface RecordingsDeps {
  readonly store: MeetingStore
  readonly capture: Capture
  readonly watch: Pick<VoiceWatch, 'nudge'>
  readonly announcer: Announcer
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  activeAccountId(): string
  onLibrary(ids: readonly string[]): void
  onProgress(progress: CaptureProgress): void
  /** True while at least one session is being written. */
  onLive(live: boolean): void
}

/** Meetings that are being recorded. */
interface Recordings {
  begin(request: ParsedOf<'meetings.begin'>): Promise<string>
  /** Continues a recording interrupted by the end of an earlier run. Does nothing if already called. */
  reopen(id: string): Promise<void>
  event(id: string, event: CaptureEvent): Promise<void>
  stop(id: string, recordedMs: number | null): Promise<void>
  /** Handles the recorder's progress of the last second. */
  progress(progress: CaptureProgress): void
  /** Stops following sessions that are no longer written because their audio was discarded. */
  letGo(): void
  /** Adds sessions of earlier runs to the library. */
  recover(): Promise<void>
  /** Stops live recordings for a clean shutdown of the app. */
  shutdown(): Promise<void>
}

/** A session without audio for this long that is not paused has lost its page: it is closed. In milliseconds. */
const lostPageMs = 5 * 60_000
/** Maximum pause: after it the page is assumed gone, and the computer need not stay awake. In milliseconds. */
const maxPauseMs = 24 * 3_600_000

const isOpen = (state: MeetingState): boolean => state === 'recording' || state === 'paused'

/** How long to wait for a failing store before a recording begins, in milliseconds. */
const patienceMs = 3_000

/** Maximum number of characters of a title read from a file. */
const maxTitleLength = 300

/** The title from a session's own files; its time if they have no readable title. */
function titleOf({ title, startedAt }: Pick<RecoveredSession, 'title' | 'startedAt'>): string {
  try {
    return displayTitle(title.slice(0, maxTitleLength))
  } catch {
    return `Recording ${localMinute(startedAt)}`
  }
}

/** Creates recordings. The audio on disk is the source of truth; a row that cannot be written never stops the recording. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { store, capture, clock } = deps
  const timers = new Map<string, NodeJS.Timeout>()
  let recovering = Promise.resolve()
  /** Rows of running recordings, and when their pause began. Rows may be lost during a recording, together with their library. */
  const open = new Map<string, { readonly row: NewMeeting; pausedAt: number | null }>()

  /** Updates a row; a store error is reported, and the next second or the next start catches up. */
  const follow = (id: string, work: () => void): void => {
    try {
      const row = open.get(id)?.row
      if (row && !store.get(id)) store.create(row)
      work()
    } catch (error) {
      if (!isStoreProblem(error)) throw error
      deps.log.warn('failed to save a recording, will retry', { id, code: error.code })
    }
  }
  /** The row, if the store can read it: a recording is closed whatever happened to its library. */
  const rowOf = (id: string): Meeting | undefined => {
    try {
      return store.get(id)
    } catch (error) {
      if (!isStoreProblem(error)) throw error
      return undefined
    }
  }
  const report = (id: string): void => {
    deps.announcer.now(id)
    deps.onLibrary([id])
  }
  const live = (): void => deps.onLive(timers.size > 0)
  const listen = (id: string): void => {
    clearTimeout(timers.get(id))
    const timer = setTimeout(() => void lost(id), lostPageMs).unref()
    timers.set(id, timer)
    live()
  }
  const silence = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    live()
  }
  const lost = async (id: string): Promise<void> => {
    const pausedAt = open.get(id)?.pausedAt ?? null
    if (pausedAt !== null && Math.abs(clock() - pausedAt) < maxPauseMs) return listen(id)
    deps.log.warn('the page of a recording was closed', { id })
    await stop(id, null).catch((error: unknown) => {
      deps.log.error('failed to close a recording', { error })
      if (capture.isLive(id)) return listen(id)
      open.delete(id)
      return silence(id)
    })
  }

  const end = (id: string, writtenMs: number, recordedMs: number | null): void => {
    silence(id)
    follow(id, () => store.update(id, { state: 'stopped', durationMs: writtenMs, recordedMs }))
    open.delete(id)
    deps.watch.nudge(id, { live: true, last: true })
    report(id)
  }
  /** Takes the gaps from the journal, which knows the gaps that the writer filled automatically, without duplicates. */
  const settleGaps = async (id: string): Promise<void> => {
    try {
      const gaps = await capture.gaps(id)
      follow(id, () =>
        store.setGaps(
          id,
          gaps.map((gap) => ({ ...gap, id: deps.ids() })),
        ),
      )
    } catch (error) {
      deps.log.warn('failed to read the gaps of a recording', { id, error })
    }
  }
  const stop = async (id: string, recordedMs: number | null): Promise<void> => {
    const meeting = rowOf(id)
    if (meeting?.state === 'interrupted' && recordedMs === null && !capture.isLive(id)) {
      // A recovered recording stays as it is: its user has seen it.
      return end(id, meeting.durationMs, meeting.completeness.recordedMs)
    }
    if (meeting && !capture.isLive(id) && !isOpen(meeting.state)) {
      // Already ended by another window or a full disk, or never a recording: only a late count is saved.
      if (meeting.source !== 'recording' || recordedMs === null) return
      if (meeting.completeness.recordedMs === null) store.update(id, { recordedMs })
      return
    }
    const { writtenMs } = await capture.stop(id)
    await settleGaps(id)
    end(id, writtenMs, rowOf(id)?.completeness.recordedMs ?? recordedMs)
  }

  const accept = (session: RecoveredSession): void => {
    const { id, durationMs } = session
    if (!store.get(id)) {
      store.create({
        id,
        title: titleOf(session),
        source: 'recording',
        state: 'interrupted',
        channels: session.roles,
        sampleRate: session.sampleRate,
        mediaId: null,
        hasAudio: true,
        accountId: deps.activeAccountId(),
        prompt: '',
        hotwords: [],
        at: session.startedAt,
      })
    }
    store.setGaps(
      id,
      session.gaps.map((gap) => ({ ...gap, id: deps.ids() })),
    )
    store.update(id, { state: 'interrupted', durationMs, recordedMs: null })
  }

  return {
    async begin(request) {
      const id = deps.ids()
      const at = clock()
      const title = displayTitle(request.title || `Recording ${localMinute(at)}`)
      const { roles, sampleRate, labels } = request
      const row: NewMeeting = {
        id,
        title,
        titleIsAutomatic: request.titleIsAutomatic || !request.title,
        source: 'recording',
        state: 'recording',
        channels: roles,
        sampleRate,
        mediaId: null,
        hasAudio: true,
        accountId: request.accountId ?? deps.activeAccountId(),
        prompt: request.prompt ?? '',
        hotwords: request.hotwords ?? [],
        at,
      }
      // Create the folder first: from here on the recording survives anything, with or without its row.
      await capture.begin({ id, title, roles, sampleRate, labels, startedAt: at })
      const inTime = AbortSignal.timeout(patienceMs)
      await persist(
        () => store.create(row),
        inTime,
        () => undefined,
      ).catch(async (error: unknown) => {
        // Nothing is recorded yet, and it could not be shown: the page gets the reason.
        await capture.remove([id])
        throw error
      })
      open.set(id, { row, pausedAt: null })
      listen(id)
      report(id)
      return id
    },
    async reopen(id) {
      // A concurrent repair of the same session would read data that is being written.
      await recovering
      if (capture.isLive(id)) return
      const meeting = store.get(id)
      if (!meeting) throw new AppError('NOT_FOUND', 'Recording not found')
      const isInterrupted = meeting.state === 'interrupted' || isOpen(meeting.state)
      if (meeting.source !== 'recording' || !isInterrupted)
        throw new AppError('REFUSED', 'The recording is already finished')
      await capture.reopen(id)
      const { title, source, channels, sampleRate, accountId, prompt, hotwords, startedAt } =
        meeting
      const row = {
        title,
        source,
        channels,
        sampleRate,
        accountId,
        prompt,
        hotwords,
        at: startedAt,
      }
      open.set(id, {
        row: { ...row, id, state: 'recording', mediaId: null, hasAudio: true },
        pausedAt: null,
      })
      follow(id, () => store.update(id, { state: 'recording', recordedMs: null }))
      deps.log.info('recording resumed', { id })
      listen(id)
      report(id)
    },
    async event(id, event) {
      if (!capture.isLive(id)) throw new AppError('REFUSED', 'The recording is already finished')
      await capture.event(id, event)
      const known = open.get(id)
      if (known && event.type === 'paused') known.pausedAt = clock()
      if (known && event.type === 'resumed') known.pausedAt = null
      follow(id, () => {
        if (event.type === 'gap') {
          const { atMs, endMs, channel, reason } = event
          store.addGap(id, { id: deps.ids(), startMs: atMs, endMs, channel, reason })
        }
        if (event.type === 'paused') store.update(id, { state: 'paused' })
        if (event.type === 'resumed') store.update(id, { state: 'recording' })
      })
      // No more audio will trigger detection: process the speech just before the pause now.
      if (event.type === 'paused') deps.watch.nudge(id, { live: true, last: false })
      if (timers.has(id)) listen(id)
      report(id)
    },
    stop,
    progress(progress) {
      const { id, writtenMs } = progress
      deps.onProgress(progress)
      if (progress.full) {
        const error = new AppError('DISK_FULL', 'The disk is full. The recording was closed')
        end(id, writtenMs, null)
        follow(id, () => store.update(id, { error: toFailure(error, clock()) }))
        void settleGaps(id).then(() => report(id))
        return
      }
      if (timers.has(id)) listen(id)
      follow(id, () => store.update(id, { durationMs: writtenMs }))
      deps.watch.nudge(id, { live: true, last: false })
      deps.announcer.changed(id)
    },
    letGo() {
      for (const id of timers.keys()) {
        if (capture.isLive(id)) continue
        open.delete(id)
        silence(id)
      }
    },
    recover: () => (recovering = recover()),
    async shutdown() {
      for (const id of timers.keys()) {
        silence(id)
        const closed = await capture.stop(id).catch(() => null)
        if (!closed) continue
        await settleGaps(id)
        follow(id, () => store.update(id, { state: 'interrupted', durationMs: closed.writtenMs }))
      }
      await capture.shutdown()
    },
  }
  async function recover(): Promise<void> {
    for (const session of await capture.recover((id) => store.get(id) !== undefined)) {
      const { id } = session
      try {
        follow(id, () => accept(session))
        report(id)
      } catch (error) {
        // One that the library rejects does not block the others.
        deps.log.error('failed to add a recording to the Library', { id, error })
      }
    }
    // Closed cleanly, but the row was not updated any more.
    for (const id of store.inState(['recording', 'paused'])) {
      if (capture.isLive(id)) continue
      const closed = await capture.stop(id).catch(() => null)
      const durationMs = closed?.writtenMs ?? store.get(id)?.durationMs ?? 0
      follow(id, () => store.update(id, { state: 'interrupted', durationMs }))
      report(id)
    }
  }
}
