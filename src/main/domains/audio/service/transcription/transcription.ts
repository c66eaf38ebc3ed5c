import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { Line, Meeting, Segment } from '../../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { QueuedSegment } from '../../store/meetings-types.ts'
import { isHeld, isTranscribed } from '../../store/meetings-segments.ts'
import { concernsAccount, isRepairable } from '../../../../work-queue/retry-policy.ts'
import type { Executed, Search, WorkQueue } from '../../../../work-queue/work-queue.ts'
import { suggestedTerms } from './learn.ts'
import { nextSegment } from './next-segment.ts'
import { createPhoneticMatcher } from './phonetic-similarity.ts'
import { createSegmentWorker, resetState, type SegmentWorkerDeps } from './segment-worker.ts'
import { writeUp } from './transcript-writer.ts'

/** Sends segments to their engine, a few at a time, persistently, and converts responses to lines. */
export interface Transcription {
  /** Checks for work on this meeting. */
  nudge(id: string): void
  /** Retries everything that failed or waits. */
  fill(id: string): void
  /** Stops what waits or runs: first transcriptions until `fill`, other passes permanently. */
  stop(id: string): Promise<void>
  /** Requests another transcription of segments, as suggestions; resolves with their number. */
  again(
    id: string,
    which: ParsedOf<'meetings.again'>['which'],
    want: {
      readonly accountId: string
      readonly prompt: string
      readonly hotwords: readonly string[]
    },
  ): Promise<number>
  /** Accepts suggestions into the transcript, with the lines created from them. */
  accept(
    id: string,
    versionIds: readonly string[],
  ): { readonly lines: readonly Line[]; readonly removed: readonly string[] }
  /** Names and terms that help the engine, learned from the user's corrections. */
  learn(id: string): Promise<readonly string[]>
  /** Resumes what an earlier run left. */
  resume(): void
  accountReady(accountId: string): void
  /** Stops running work for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Dependencies of transcription. */
interface TranscriptionDeps extends SegmentWorkerDeps {
  readonly workQueue: WorkQueue
}

/** Maximum number of corrections used for learning. */
const corrections = 1_000
/** Attempts after which a segment that was in flight at a crash is not sent again automatically. */
const deadlyAttempts = 10

/** Creates transcription over store, audio and client: segments as work of the queue, and what the user does with them. */
export function createTranscription(deps: TranscriptionDeps): Transcription {
  const store = deps.store.meetings
  const closing = new AbortController()
  const worker = createSegmentWorker(deps, closing.signal)
  /** Meetings that were moved to Trash, or were about to be: they continue when they are restored. */
  const forgotten = new Set<string>()

  const need = (id: string): Meeting => {
    const meeting = store.get(id)
    if (!meeting) throw new AppError('NOT_FOUND', 'Meeting not found')
    return meeting
  }
  const report = (id: string, segments: readonly Segment[]): void => {
    if (segments.length > 0) deps.events.onTranscribed(id, { segments, lines: [], removed: [] })
  }
  /** Makes these segments wait for their first transcription again, whose result is not a suggestion. */
  const restart = (segments: readonly Segment[]): readonly Segment[] => {
    store.wantAgain(
      segments.map(({ id }) => id),
      null,
    )
    return segments.map(({ id }) => store.updateSegment(id, { ...resetState, state: 'pending' }))
  }

  /** First transcriptions before another pass, and meetings that are being recorded before others. */
  const next = (search: Search): QueuedSegment | undefined => {
    const { accountId, at, except } = search
    const { places, inFlight } = work.status(accountId)
    const mine = work.inFlight().filter((segment) => segment.accountId === accountId)
    const busy = new Set(mine.map(({ id }) => id))
    // Those of which nothing can be sent have a segment in flight.
    const limit = except.length + 1
    for (const isLive of [true, false])
      for (const meetingId of store.dueMeetings({ ...search, isLive, limit })) {
        const id = nextSegment(store.openSegments(meetingId, at), busy, places - inFlight)
        if (id !== undefined) return { id, meetingId, accountId, priority: isLive ? 0 : 1 }
      }
    return store.nextToRetranscribe(search)
  }

  const execute = async (
    { id, accountId, priority }: QueuedSegment,
    signal: AbortSignal,
  ): Promise<Executed> => {
    const row = store.segment(id)
    const isWanted =
      priority === 2 ? row?.again && isTranscribed(row.state) : row?.state === 'pending'
    if (!row || !isWanted) return 'unsent'
    try {
      return await worker.execute(row, accountId, signal)
    } catch (error) {
      // Not a crash: the attempt does not count.
      if (closing.signal.aborted) worker.putBack(id)
      throw error
    }
  }

  /**
   * When the next segment that waits for a time is due, and when the store was searched for it (Unix ms); null after changes:
   * the search reads every open segment.
   */
  let planned: { readonly searchedAt: number; readonly at: number | null } | null = null

  const work = deps.workQueue.add<QueuedSegment>({
    about: 'segment of a meeting',
    isOneOperation: true,
    id: ({ id }) => id,
    group: ({ meetingId }) => meetingId,
    takesTurns: true,
    priority: ({ priority }) => priority,
    accounts: () => (deps.store.writable ? store.workAccounts() : []),
    size: (accountId) => deps.store.accounts.get(accountId)?.profile.concurrency ?? 1,
    next,
    nextTime(after) {
      // Also after the clock was set back.
      if (!planned || after < planned.searchedAt || (planned.at ?? Infinity) <= after)
        planned = { searchedAt: after, at: store.nextTime(after) }
      return planned.at
    },
    execute,
    attempts: ({ id }) => store.segment(id)?.attempts ?? 1,
    wait({ id }, failure, wait) {
      planned = null
      worker.wait(id, failure, wait)
    },
    fail: ({ id }, failure) => worker.giveUp(id, failure),
    stopped: ({ id }) => worker.putBack(id),
    onAccount(accountId) {
      const { closed, reason } = work.status(accountId)
      if (closed !== null && closed !== 'account') return
      const error = closed === null ? null : reason
      for (const id of store.workOf(accountId)) worker.accountError(id, error)
    },
    onSearched() {
      const offline = [...work.offline()]
      deps.events.onWaiting(offline.length === 0 ? 0 : store.countOf(offline))
    },
  })

  const kick = (): void => {
    planned = null
    work.kick()
  }
  const resume = (id: string): void => {
    work.resume(id)
    kick()
  }

  /** Shows the problem of an account that this meeting waits for, or none: the change may have ended its wait. */
  const updateAccountError = (id: string): void => {
    const blocking = store
      .workAccounts()
      .map((accountId) => ({ accountId, ...work.status(accountId) }))
      .find(({ accountId, closed }) => closed === 'account' && store.workOf(accountId).includes(id))
    worker.accountError(id, blocking?.reason ?? null)
  }

  return {
    nudge(id) {
      // A meeting that was stopped stays so until the user resumes it.
      if (forgotten.delete(id)) work.resume(id)
      kick()
      updateAccountError(id)
    },
    fill(id) {
      const meeting = need(id)
      const changed = deps.store.transaction(() => {
        const rows = store.work(id, ['failed', 'pending'])
        const waiting = rows.filter(isHeldUp)
        const passes = rows.filter(
          ({ state, again, attempts }) => isTranscribed(state) && again && attempts > 0,
        )
        if (isOverBy(meeting.error)) store.update(id, { error: null })
        return [
          ...restart(waiting),
          ...passes.map((row) => store.updateSegment(row.id, resetState)),
        ]
      })
      report(id, changed)
      resume(id)
      work.wake(meeting.accountId)
      for (const { again } of store.work(id, [])) if (again) work.wake(again.accountId)
    },
    async stop(id) {
      need(id)
      const error = toFailure(new AppError('CANCELLED', 'Stopped'), deps.clock())
      await work.change(id, () => {
        const changed = deps.store.transaction(() => {
          // It may be deleted, or its import be over, by the time that the store accepts it.
          const meeting = store.get(id)
          if (!meeting) return []
          if (isFindingSegments(meeting)) store.update(id, { error })
          const rows = store.work(id, ['pending', 'inflight'])
          store.wantAgain(
            rows.flatMap((row) => (row.again ? [row.id] : [])),
            null,
          )
          return rows.map((row) =>
            store.updateSegment(
              row.id,
              row.again ? resetState : { state: 'failed', error, nextTryAt: null },
            ),
          )
        })
        report(id, changed)
        updateAccountError(id)
      })
    },
    async again(id, which, want) {
      const { error } = need(id)
      const segments = await chosen(which, store.segments(id), () => store.lines(id))
      const transcribed = segments.filter(isComplete)
      // Segments without a whole transcription need a result, not a suggestion.
      const untranscribed = segments.filter(
        (segment) => !isComplete(segment) && segment.state !== 'inflight',
      )
      deps.store.transaction(() => {
        if (isHeld(error)) store.update(id, { error: null })
        for (const segment of transcribed) store.updateSegment(segment.id, resetState)
        if (transcribed.length > 0)
          store.wantAgain(
            transcribed.map((segment) => segment.id),
            want,
          )
        restart(untranscribed)
      })
      report(
        id,
        segments.flatMap((segment) => store.segment(segment.id) ?? []),
      )
      updateAccountError(id)
      resume(id)
      work.wake(want.accountId)
      return segments.length
    },
    accept(id, versionIds) {
      const meeting = need(id)
      const lines: Line[] = []
      const removed: string[] = []
      // All or none: the user made one decision.
      deps.store.transaction(() => {
        for (const versionId of versionIds) {
          const version = store.version(versionId)
          const segment = version && store.segment(version.segmentId)
          if (!version || segment?.meetingId !== id)
            throw new AppError('NOT_FOUND', 'Version not found')
          const written = writeUp(store, meeting, store.around(segment), segment, version)
          const changed = store.accept(versionId, written.lines)
          lines.push(...changed.lines)
          removed.push(...changed.removed)
        }
      })
      return { lines, removed }
    },
    learn: async (id) => suggestedTerms(store.corrections(id, corrections), need(id).hotwords),
    resume() {
      const running = new Set(work.inFlight().map(({ id }) => id))
      for (const meetingId of store.withWork())
        for (const { id, state, attempts } of store.work(meetingId, ['inflight'])) {
          if (state !== 'inflight' || running.has(id)) continue
          // The process ended while it was in flight: its response was not stored, so it is sent again.
          if (attempts < deadlyAttempts) store.updateSegment(id, { state: 'pending' })
          else {
            const message = 'Lectern quit each time it transcribed this segment'
            const error = toFailure(new AppError('INTERNAL', message), deps.clock())
            store.updateSegment(id, { state: 'failed', error, nextTryAt: null })
          }
        }
      kick()
    },
    accountReady(accountId) {
      // Jobs of former recordings failed where segments wait.
      for (const { id, error } of store.failures()) {
        if (!isOfAccount(error) || store.get(id)?.accountId !== accountId) continue
        const failed = store
          .work(id, ['failed'])
          .filter((row) => row.state === 'failed' && isOfAccount(row.error))
        report(
          id,
          deps.store.transaction(() => restart(failed)),
        )
      }
      work.wake(accountId)
      kick()
    },
    async forget(ids) {
      const gone = new Set(ids)
      // The search skips those in Trash.
      for (const id of store.withWork())
        if (gone.has(id)) {
          forgotten.add(id)
          work.pause(id)
        }
      await work.stop(({ meetingId }) => gone.has(meetingId))
    },
    busy: () => work.busy(),
    async shutdown() {
      closing.abort()
      await work.shutdown()
    },
  }
}

/** Whether a retry resolves a meeting's failure: one of its account, or that it was held. */
const isOverBy = (error: Failure | null): boolean =>
  error !== null && (isHeld(error) || concernsAccount(error.code))

/** Whether more segments of an ended meeting will be found: they are held too when it is stopped. */
const isFindingSegments = ({ state, hasAudio, durationMs, completeness }: Meeting): boolean =>
  state === 'importing' ||
  (hasAudio &&
    (state === 'stopped' || state === 'interrupted') &&
    completeness.analysedMs < durationMs)

const isOfAccount = (error: Failure | null): boolean => error !== null && isRepairable(error.code)

/** Whether a segment has a whole transcription: that of a former recording can be partial. */
const isComplete = ({ versionId, state }: Segment): boolean =>
  versionId !== null && isTranscribed(state)

/** Whether a segment failed, or waits with an error: thousands that only wait their turn need no update. */
const isHeldUp = ({ state, attempts, error, nextTryAt }: Segment): boolean =>
  state === 'failed' ||
  (state === 'pending' && (attempts > 0 || error !== null || nextTryAt !== null))

/** Selection of segments to transcribe again. */
type Which = ParsedOf<'meetings.again'>['which']

/** The segments to transcribe again; `lines` is called only if the selection depends on words. */
async function chosen(
  which: Which,
  segments: readonly Segment[],
  lines: () => readonly Line[],
): Promise<readonly Segment[]> {
  switch (which.type) {
    case 'all':
      return segments
    case 'flagged':
      return segments.filter(({ state }) => state === 'flagged')
    case 'segments': {
      const ids = new Set(which.ids)
      return segments.filter(({ id }) => ids.has(id))
    }
    case 'range':
      return segments.filter(
        ({ startMs, endMs, channel }) =>
          startMs < which.endMs &&
          endMs > which.startMs &&
          (which.channel === undefined || which.channel === channel),
      )
    case 'words':
      return soundingLike(which.words, segments, lines())
  }
}

/** Segments whose text probably contains one of the words, transcribed incorrectly. */
async function soundingLike(
  words: readonly string[],
  segments: readonly Segment[],
  lines: readonly Line[],
): Promise<readonly Segment[]> {
  const matcher = await createPhoneticMatcher(words)
  const texts = new Map<string, string[]>()
  for (const { segmentId, text } of lines) {
    if (segmentId === null) continue
    const list = texts.get(segmentId)
    if (list) list.push(text)
    else texts.set(segmentId, [text])
  }
  const found: Segment[] = []
  for (const [at, segment] of segments.entries()) {
    // Hours of speech take longer than a frame: yields to other work.
    if (at % atATime === atATime - 1) await setImmediate()
    if (matcher.detects(joinTexts(texts.get(segment.id) ?? []))) found.push(segment)
  }
  return found
}

/** Number of segments searched without yielding. */
const atATime = 4
