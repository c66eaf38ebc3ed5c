import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Line, Segment } from '../../../../shared/model/meeting.ts'
import { AppError } from '../../../errors.ts'
import type { Transcription } from '../parts.ts'
import { chosen } from './choose-segments.ts'
import { suggestedTerms } from './learn.ts'
import { concernsAccount } from './plan.ts'
import { createQueue, type QueueDeps } from './queue.ts'
import { writeUp } from './transcript-writer.ts'

/** What hearing is built from. */
export type TranscriptionDeps = QueueDeps

/** Corrections that are looked at for learning. */
const corrections = 1_000

/** Builds hearing over store, sound and client: a durable queue of segments, and what is done with their answers. */
export function createTranscription(deps: TranscriptionDeps): Transcription {
  const store = deps.store.meetings
  const queue = createQueue(deps)
  const resetState = { attempts: 0, error: null, nextTryAt: null } as const

  const need = (id: string): NonNullable<ReturnType<typeof store.get>> => {
    const meeting = store.get(id)
    if (!meeting) throw new AppError('NOT_FOUND', 'There is no such meeting')
    return meeting
  }
  const report = (id: string, segments: readonly Segment[]): void => {
    if (segments.length > 0) deps.events.onTranscribed(id, { segments, lines: [], removed: [] })
  }
  /** Makes these segments wait for their first answer again. */
  const restart = (segments: readonly Segment[]): readonly Segment[] =>
    segments.map(({ id }) => store.updateSegment(id, { ...resetState, state: 'pending' }))

  return {
    nudge: (id) => queue.nudge(id),
    fill(id) {
      const meeting = need(id)
      const changed = deps.store.transaction(() => {
        const rows = store.work(id, ['failed', 'pending'])
        const waiting = rows.filter(isHeldUp)
        const passes = rows.filter(({ again, attempts }) => again && attempts > 0)
        if (meeting.error && isOverBy(meeting.error)) store.update(id, { error: null })
        return [...restart(waiting), ...passes.map((row) => store.updateSegment(row.id, resetState))]
      })
      report(id, changed)
      queue.nudge(id)
      queue.wake(meeting.accountId)
      for (const { again } of store.work(id, [])) if (again) queue.wake(again.accountId)
    },
    async again(id, which, want) {
      const { error } = need(id)
      const segments = await chosen(which, store.segments(id), () => store.lines(id))
      const transcribed = segments.filter(({ versionId }) => versionId !== null)
      // What nobody heard yet needs no proposal, but an answer.
      const untranscribed = segments.filter(
        ({ versionId, state }) => versionId === null && state !== 'inflight',
      )
      deps.store.transaction(() => {
        if (error?.code === 'LEFT_UNFINISHED') store.update(id, { error: null })
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
      // All of them or none: the user decided once.
      deps.store.transaction(() => {
        for (const versionId of versionIds) {
          const version = store.version(versionId)
          const segment = all.find((one) => one.id === version?.segmentId)
          if (!version || !segment) throw new AppError('NOT_FOUND', 'There is no such reading')
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
    accountReady: (accountId) => queue.wake(accountId),
    forget: (ids) => queue.forget(ids),
    busy: () => queue.busy(),
    shutdown: () => queue.shutdown(),
  }
}

/** Whether a failure of a meeting is over once somebody asks for what is missing: one of its account, or that it rested. */
const isOverBy = ({ code }: Failure): boolean => code === 'LEFT_UNFINISHED' || concernsAccount(code)

/** Failed, or waits with something against it: thousands that only wait their turn need no writing. */
const isHeldUp = ({ state, attempts, error, nextTryAt }: Segment): boolean =>
  state === 'failed' ||
  (state === 'pending' && (attempts > 0 || error !== null || nextTryAt !== null))

/** What is around a segment, by the rows as they are now. */
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

/** Times are estimated: what is this far away may be the same moment. */
const acrossMs = 4_000
