import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { CaptureEvent, Meeting, MeetingState } from '../../../shared/model/meeting.ts'
import { localMinute } from '../../../shared/text/local-time.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { MeetingStore, NewMeeting } from '../../store/meetings-types.ts'
import { displayTitle } from '../library/title.ts'
import { isStoreProblem, persist } from '../transcribe/persist.ts'
import type { Announcer } from './announce.ts'
import type { Capture, CaptureProgress, RecoveredSession, VoiceWatch } from './parts.ts'

/** What live recordings are built from. */
export interface RecordingsDeps {
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
  /** True while at least one session is written. */
  onLive(live: boolean): void
}

/** Meetings while they are recorded. */
export interface Recordings {
  begin(request: ParsedOf<'meetings.begin'>): Promise<string>
  /** Goes on with a recording that the end of an earlier run interrupted. Again: nothing. */
  reopen(id: string): Promise<void>
  event(id: string, event: CaptureEvent): Promise<void>
  stop(id: string, recordedMs: number | null): Promise<void>
  /** What the recorder wrote in the last second. */
  progress(progress: CaptureProgress): void
  /** Follows no session any more that is not written: its sound was thrown away. */
  letGo(): void
  /** Puts sessions of earlier runs into the library. */
  recover(): Promise<void>
  /** Stops what is live, for an orderly end of the app. */
  shutdown(): Promise<void>
}

/** A session without sound for this long, and not paused, has lost its page: it is closed. In milliseconds. */
const lostPageMs = 5 * 60_000
/** A pause this long is no pause any more: its page is gone, and the computer was kept awake for nobody. In milliseconds. */
const maxPauseMs = 24 * 3_600_000

const isOpen = (state: MeetingState): boolean => state === 'recording' || state === 'paused'

/** How long a store in trouble is waited for before a recording begins, in milliseconds. */
const patienceMs = 3_000

/** Characters of a title that are kept of what a file says. */
const maxTitleLength = 300

/** The title that a session's own files give; its time where they give none that can be read. */
function titleOf({ title, startedAt }: Pick<RecoveredSession, 'title' | 'startedAt'>): string {
  try {
    return displayTitle(title.slice(0, maxTitleLength))
  } catch {
    return `Recording ${localMinute(startedAt)}`
  }
}

/** Builds the use case. The sound on disk is the truth; a row that cannot be written never stops the recording. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { store, capture, clock } = deps
  const timers = new Map<string, NodeJS.Timeout>()
  let recovering = Promise.resolve()
  /** What is written now as a row, and when its pause began. Rows may be lost under a recording, with the library they were in. */
  const open = new Map<string, { readonly row: NewMeeting; pausedAt: number | null }>()

  /** Rows follow the sound: a store in trouble is told about and caught up with by the next second or the next start. */
  const follow = (id: string, work: () => void): void => {
    try {
      const row = open.get(id)?.row
      if (row && !store.get(id)) store.create(row)
      work()
    } catch (error) {
      if (!isStoreProblem(error)) throw error
      deps.log.warn('the store does not take a recording now', { id, code: error.code })
    }
  }
  /** The row, when the store can tell: a recording is closed whatever became of its library. */
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
    deps.log.warn('a recording has no page any more', { id })
    await stop(id, null).catch((error: unknown) => {
      deps.log.error('closing a recording', { error })
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
  /** The journal has the last word: it knows the gaps that the writer filled by itself, and none twice. */
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
      deps.log.warn('the gaps of a recording could not be read', { id, error })
    }
  }
  const stop = async (id: string, recordedMs: number | null): Promise<void> => {
    const meeting = rowOf(id)
    if (meeting?.state === 'interrupted' && recordedMs === null && !capture.isLive(id)) {
      // What was recovered is kept as it lies: its user has looked at it.
      return end(id, meeting.durationMs, meeting.completeness.recordedMs)
    }
    if (meeting && !capture.isLive(id) && !isOpen(meeting.state)) {
      // Over already, by another window or a full disk, or never a recording: a count that comes late is all there is to keep.
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
      // The folder first: from here on the recording survives anything, with or without its row.
      await capture.begin({ id, title, roles, sampleRate, labels, startedAt: at })
      const inTime = AbortSignal.timeout(patienceMs)
      await persist(
        () => store.create(row),
        inTime,
        () => undefined,
      ).catch(async (error: unknown) => {
        // Nothing is recorded yet, and nobody would be shown what is: the page is told why.
        await capture.remove([id])
        throw error
      })
      open.set(id, { row, pausedAt: null })
      listen(id)
      report(id)
      return id
    },
    async reopen(id) {
      // A repair of the same session would read what is being written.
      await recovering
      if (capture.isLive(id)) return
      const meeting = store.get(id)
      if (!meeting) throw new AppError('NOT_FOUND', 'There is no such recording')
      const isInterrupted = meeting.state === 'interrupted' || isOpen(meeting.state)
      if (meeting.source !== 'recording' || !isInterrupted)
        throw new AppError('REFUSED', 'This recording is over')
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
      deps.log.info('a recording goes on', { id })
      listen(id)
      report(id)
    },
    async event(id, event) {
      if (!capture.isLive(id)) throw new AppError('REFUSED', 'This recording is over')
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
      // No more sound nudges: what was said just before the pause is looked at now.
      if (event.type === 'paused') deps.watch.nudge(id, { live: true, last: false })
      if (timers.has(id)) listen(id)
      report(id)
    },
    stop,
    progress(progress) {
      const { id, writtenMs } = progress
      deps.onProgress(progress)
      if (progress.full) {
        const error = new AppError('DISK_FULL', 'The disk is full; the recording was closed')
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
        // One that the library does not take keeps no other from it.
        deps.log.error('a recording could not be listed', { id, error })
      }
    }
    // Closed in order, but the row was not written any more.
    for (const id of store.inState(['recording', 'paused'])) {
      if (capture.isLive(id)) continue
      const closed = await capture.stop(id).catch(() => null)
      const durationMs = closed?.writtenMs ?? store.get(id)?.durationMs ?? 0
      follow(id, () => store.update(id, { state: 'interrupted', durationMs }))
      report(id)
    }
  }
}
