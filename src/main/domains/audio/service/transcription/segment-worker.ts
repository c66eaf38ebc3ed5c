import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Flag, Meeting, Segment } from '../../../../../shared/model/meeting.ts'
import type { RawReply } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { Changed, SegmentPatch, SegmentRecord } from '../../store/meetings-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { persist } from '../../../../platform/database/persist.ts'
import type { AudioWork } from '../audio-worker.ts'
import { promptFor, rankHotwords } from './context.ts'
import { learnedWords } from './learn.ts'
import { type TranscriptionEvents, createPartial } from './partial.ts'
import { concernsAccount, maxAttempts } from '../../../../work-queue/retry-policy.ts'
import type { Executed, Wait } from '../../../../work-queue/work-queue.ts'
import { echoedBy, writeUp } from './transcript-writer.ts'
import {
  nameOf,
  transcribeSegment,
  type SegmentRequest,
  type SegmentTranscript,
} from './transcription-request.ts'

/** Dependencies of transcribing one segment. */
export interface SegmentWorkerDeps {
  readonly store: Store
  readonly audio: Pick<AudioWork, 'extractSegment'>
  readonly api: Pick<Api, 'transcriptions'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly events: TranscriptionEvents
  mask(text: string): string
  /** Runs work later; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
}

/** Processes one segment and stores the results. What the queue stores of it concerns only a segment that is in flight. */
interface SegmentWorker {
  /** Transcribes it and stores the result. Throws on failure; every raw response is stored even then. */
  execute(row: SegmentRecord, accountId: string, signal: AbortSignal): Promise<Executed>
  /** Resets the row as if it had not been sent. */
  putBack(id: string): void
  /** Stores that it waits; only some attempts count. */
  wait(id: string, error: Failure, wait: Wait): void
  /** Leaves a gap; if another pass failed, the existing text stays. */
  giveUp(id: string, error: Failure): void
  /** Shows a problem of an account in a meeting that waits for it, or no longer. */
  accountError(meetingId: string, error: Failure | null): void
}

/** Interval for evaluating corrections again, in milliseconds: hundreds of them take as long as several frames. */
const learnedMs = 60_000

/** Number of texts before a segment that are used as context. */
const contextTexts = 2

/** State of a segment without errors. */
export const resetState = { attempts: 0, error: null, nextTryAt: null } as const

/** Creates the worker. */
export function createSegmentWorker(deps: SegmentWorkerDeps, closing: AbortSignal): SegmentWorker {
  const { clock, events } = deps
  const store = deps.store.meetings
  /** Words learned from the user's corrections of a meeting, and when (Unix ms). */
  const learned = new Map<string, { readonly at: number; readonly words: readonly string[] }>()

  /** Writes persistently despite store errors: a transcription must not be lost because of a full disk. */
  const write = <T>(work: () => T): Promise<T> =>
    persist(work, closing, (error) =>
      deps.log.warn('failed to save a segment, will retry', { code: error.code }),
    )

  const report = (id: string, segments: readonly Segment[], changed?: Changed): void =>
    events.onTranscribed(id, {
      segments,
      lines: changed?.lines ?? [],
      removed: changed?.removed ?? [],
    })

  const learnedBy = (meetingId: string): readonly string[] => {
    const at = clock()
    for (const [id, known] of learned) if (Math.abs(at - known.at) >= learnedMs) learned.delete(id)
    const words =
      learned.get(meetingId)?.words ?? learnedWords(store.corrections(meetingId, 500), [])
    if (!learned.has(meetingId)) learned.set(meetingId, { at, words })
    return words
  }

  /** The first request for a segment. */
  const questionFor = (
    meeting: Meeting,
    row: SegmentRecord,
    bounds: { readonly promptChars: number; readonly hotwords: number },
  ): SegmentRequest => {
    const { prompt, hotwords } = row.again ?? meeting
    const before = store.around(row).before?.id ?? null
    const earlier = store.before(row.id, contextTexts)
    const known = hotwords.length > bounds.hotwords ? learnedBy(row.meetingId) : []
    return {
      meetingId: row.meetingId,
      channel: row.channel,
      span: { startMs: row.startMs, endMs: row.endMs },
      prompt: promptFor(prompt, row, before, earlier, bounds.promptChars),
      hotwords: rankHotwords(hotwords, known, bounds.hotwords),
    }
  }

  const accountError: SegmentWorker['accountError'] = (meetingId, error) => {
    const had = store.get(meetingId)
    const errors = [had?.error, error].flatMap((one) => one ?? [])
    // Other errors of a meeting, such as its import, must be neither replaced nor cleared.
    if (!had || had.state === 'import-failed' || errors.length === 0) return
    if (!errors.every(({ code }) => concernsAccount(code))) return
    store.update(meetingId, { error })
    report(meetingId, [])
  }

  /** Marks a segment as in flight, and counts the attempt. Throws if it is stopped while the store accepts nothing. */
  const begin = async (row: SegmentRecord, signal: AbortSignal): Promise<void> => {
    const patch = { ...resetState, attempts: row.attempts + 1 }
    const segment = await write(() => {
      signal.throwIfAborted()
      return store.segment(row.id)
        ? store.updateSegment(row.id, row.again ? patch : { ...patch, state: 'inflight' })
        : null
    })
    if (!segment) throw new AppError('CANCELLED', 'The segment no longer exists')
    report(row.meetingId, [segment])
  }

  const execute: SegmentWorker['execute'] = async (row, accountId, signal) => {
    await begin(row, signal)
    const meeting = store.get(row.meetingId)
    if (!meeting) throw new AppError('CANCELLED', 'The meeting no longer exists')
    const target = await deps.accounts.target(accountId)
    const question = questionFor(meeting, row, target.limits.transcription)
    const content = await deps.audio.extractSegment(row.meetingId, row.channel, question.span)
    const name = nameOf(question, content, target)
    const known = row.again && store.version(name)
    // The same request already had a good response: another pass over the same audio needs no request.
    if (known && known.segmentId === row.id && known.flags.length === 0) {
      await write(() => propose(row, { ...known, id: deps.ids(), at: clock() }))
      report(row.meetingId, segmentsOf([row.id]))
      return 'unsent'
    }
    const replies: RawReply[] = []
    const partial = createPartial({ ...deps, store }, row)
    let isDone = false
    try {
      const requestDeps = {
        api: deps.api,
        audio: deps.audio,
        target,
        signal,
        replies,
        onDelta: partial.add,
      }
      const transcribed = await transcribeSegment(requestDeps, question, content, row.voiced)
      const [segments, changed] = await write(() =>
        deps.store.transaction(() => {
          saveReplies(row, replies)
          return settle(row, transcribed, {
            id: freeId(name),
            accountId,
            accountName: target.accountName,
          })
        }),
      )
      isDone = true
      report(row.meetingId, segments, changed)
      // An earlier run may have left it there.
      if (meeting.error) accountError(row.meetingId, null)
      return 'done'
    } catch (error) {
      if ((replies.length > 0 || partial.isUnsaved()) && store.segment(row.id))
        await write(() =>
          deps.store.transaction(() => {
            saveReplies(row, replies)
            partial.save()
          }),
        )
      throw error
    } finally {
      partial.end(isDone)
    }
  }

  const freeId = (name: string): string => (store.version(name) ? deps.ids() : name)

  const saveReplies = (row: SegmentRecord, replies: RawReply[]): void => {
    for (const raw of replies.splice(0)) {
      if (raw.body === '') continue
      const operation = 'transcriptions.create'
      const reply = { id: deps.ids(), itemId: row.meetingId, operation, ...raw, at: clock() }
      deps.store.replies.add(reply)
    }
  }

  /** Stores a transcription with its lines, or as a suggestion. */
  const settle = (
    row: SegmentRecord,
    transcribed: SegmentTranscript,
    by: { readonly id: string; readonly accountId: string; readonly accountName: string },
  ): readonly [readonly Segment[], Changed] => {
    const { result } = transcribed
    const version = {
      ...by,
      segmentId: row.id,
      text: transcribed.text,
      model: result.model,
      requestId: result.requestId,
      notice: result.notice,
      at: clock(),
    }
    if (row.again) {
      propose(row, { ...version, flags: transcribed.flags })
      return [segmentsOf([row.id]), { lines: [], removed: [] }]
    }
    const meeting = store.get(row.meetingId)
    if (!meeting) throw new AppError('CANCELLED', 'The meeting no longer exists')
    const around = store.around(row)
    const { lines, flags } = writeUp(store, meeting, around, row, {
      ...version,
      flags: transcribed.flags,
    })
    const state = stateOf(transcribed.text, flags)
    store.updateSegment(row.id, resetState)
    const changed = store.saveTranscription({ ...version, flags }, { state, flags }, lines)
    const echoed = echoedBy(store, meeting, around.across, lines)
    for (const { id, flags: had } of echoed)
      store.updateSegment(id, { state: 'flagged', flags: [...had, 'echo'] })
    return [segmentsOf([row.id, ...echoed.map(({ id }) => id)]), changed]
  }
  const propose = (row: SegmentRecord, version: Parameters<typeof store.propose>[0]): void => {
    store.updateSegment(row.id, resetState)
    store.propose(version)
  }
  const segmentsOf = (ids: readonly string[]): readonly Segment[] =>
    ids.flatMap((id) => store.segment(id) ?? [])

  /** Changes a segment that is in flight: others were stopped meanwhile, or permanently deleted. */
  const end = (id: string, patchOf: (row: SegmentRecord) => SegmentPatch): void => {
    const row = store.segment(id)
    if (!row || (row.again === null && row.state !== 'inflight')) return
    report(row.meetingId, [store.updateSegment(id, patchOf(row))])
  }
  const stateAfter = ({ again, state }: SegmentRecord, next: Segment['state']): Segment['state'] =>
    again ? state : next

  return {
    execute,
    putBack: (id) =>
      end(id, (row) => ({
        state: stateAfter(row, 'pending'),
        attempts: Math.max(0, row.attempts - 1),
      })),
    wait: (id, error, { why, at }) =>
      end(id, (row) => ({
        state: stateAfter(row, 'pending'),
        // Audio whose text could not be stored may have to be paid for again.
        attempts: Math.max(0, row.attempts - (why === 'again' || why === 'store' ? 0 : 1)),
        error,
        nextTryAt: at,
      })),
    giveUp: (id, error) =>
      end(id, (row) => ({
        state: stateAfter(row, 'failed'),
        // The remains of another pass are recognized by their count.
        attempts: row.again ? Math.max(row.attempts, maxAttempts) : row.attempts,
        error,
        nextTryAt: null,
      })),
    accountError,
  }
}

/** Returns the state of a segment with this text. */
function stateOf(text: string, flags: readonly Flag[]): 'done' | 'silent' | 'flagged' {
  if (text === '') return 'silent'
  return flags.some((flag) => flag !== 'seam') ? 'flagged' : 'done'
}
