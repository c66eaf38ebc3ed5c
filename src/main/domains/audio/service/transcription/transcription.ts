import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { Line, Meeting, Segment } from '../../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { Transcription } from '../parts.ts'
import { isHeld, isTranscribed } from '../../store/meetings-segments.ts'
import { suggestedTerms } from './learn.ts'
import { createPhoneticMatcher } from './phonetic-similarity.ts'
import { concernsAccount, isRepairable } from '../../../../work-queue/retry-policy.ts'
import { createQueue, type QueueDeps } from './queue.ts'
import { writeUp } from './transcript-writer.ts'

/** Dependencies of transcription. */
export type TranscriptionDeps = QueueDeps

/** Maximum number of corrections used for learning. */
const corrections = 1_000

/** Creates transcription over store, audio and client: a persistent queue of segments, and the processing of their responses. */
export function createTranscription(deps: TranscriptionDeps): Transcription {
  const store = deps.store.meetings
  const queue = createQueue(deps)
  const resetState = { attempts: 0, error: null, nextTryAt: null } as const

  const need = (id: string): NonNullable<ReturnType<typeof store.get>> => {
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

  return {
    nudge: (id) => queue.nudge(id),
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
      queue.nudge(id)
      queue.wake(meeting.accountId)
      for (const { again } of store.work(id, [])) if (again) queue.wake(again.accountId)
    },
    async stop(id) {
      const meeting = need(id)
      await queue.forget([id])
      const error = toFailure(new AppError('CANCELLED', 'Stopped'), deps.clock())
      const changed = deps.store.transaction(() => {
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
      queue.nudge(id)
      queue.wake(want.accountId)
      return segments.length
    },
    accept(id, versionIds) {
      const meeting = need(id)
      const all = store.segments(id)
      const lines: Line[] = []
      const removed: string[] = []
      // All or none: the user made one decision.
      deps.store.transaction(() => {
        for (const versionId of versionIds) {
          const version = store.version(versionId)
          const segment = all.find((one) => one.id === version?.segmentId)
          if (!version || !segment) throw new AppError('NOT_FOUND', 'Version not found')
          const written = writeUp(store, meeting, aroundIn(all, segment, store), segment, version)
          const changed = store.accept(versionId, written.lines)
          lines.push(...changed.lines)
          removed.push(...changed.removed)
        }
      })
      return { lines, removed }
    },
    learn: async (id) => suggestedTerms(store.corrections(id, corrections), need(id).hotwords),
    resume: () => queue.resume(),
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
        queue.nudge(id)
      }
      queue.wake(accountId)
    },
    forget: (ids) => queue.forget(ids),
    busy: () => queue.busy(),
    shutdown: () => queue.shutdown(),
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

/** The neighbors of a segment, from the current rows. */
function aroundIn(
  all: readonly Segment[],
  segment: Segment,
  store: { segment(id: string): Segment | undefined },
): Parameters<typeof writeUp>[2] {
  const own = all.filter(({ channel }) => channel === segment.channel)
  const at = own.findIndex(({ id }) => id === segment.id)
  const fresh = (one: Segment | undefined): Segment | null => (one && store.segment(one.id)) ?? null
  return {
    before: fresh(own[at - 1]),
    after: fresh(own[at + 1]),
    across: all.filter(
      (other) =>
        other.channel !== segment.channel &&
        other.startMs < segment.endMs + acrossMs &&
        other.endMs > segment.startMs - acrossMs,
    ),
  }
}

/** Tolerance in milliseconds, because times are estimated. */
const acrossMs = 4_000

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
