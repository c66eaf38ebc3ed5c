import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Flag, Meeting, Segment, Span } from '../../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import type { RawReply, TranscriptionResult } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { Changed, SegmentRecord } from '../../store/meetings-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { persist } from '../../../../platform/database/persist.ts'
import type { TranscriptionEvents, AudioWork } from '../parts.ts'
import { promptFor, rankHotwords } from './context.ts'
import { checkText, voicedMsOf } from './hallucination-checks/checks.ts'
import { learnedWords } from './learn.ts'
import { placesAround, type MeetingQueue } from './meeting-queue.ts'
import { createPartial } from './partial.ts'
import { concernsAccount, maxAttempts } from '../../../../work-queue/retry-policy.ts'
import { spokenText } from './speech-duration.ts'
import { echoedBy, writeUp, type Around } from './transcript-writer.ts'
import {
  nameOf,
  type SegmentRequest,
  ask,
  requestWith,
  type AskDeps,
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

/** Processes one segment and stores the results. */
export interface SegmentWorker {
  /** Marks a segment as in flight; returns the row with this attempt counted. */
  begin(row: SegmentRecord): Promise<SegmentRecord>
  /** Transcribes it and stores the result. Throws on failure; every raw response is stored even then. */
  transcribe(
    queue: MeetingQueue,
    row: SegmentRecord,
    accountId: string,
    signal: AbortSignal,
  ): Promise<void>
  /** Resets the row as if it had not been sent. */
  putBack(row: SegmentRecord): Promise<void>
  /** Schedules another attempt; the attempt is subtracted if it does not count. */
  wait(
    row: SegmentRecord,
    error: Failure,
    how: { readonly nextTryAt: number | null; readonly counts: boolean },
  ): Promise<void>
  /** Leaves a gap; if another pass failed, the existing text stays. */
  giveUp(row: SegmentRecord, error: Failure): Promise<void>
  meetingError(id: string, error: Failure | null): void
}

/** Interval for evaluating corrections again, in milliseconds: hundreds of them take as long as several frames. */
const learnedMs = 60_000

/** Number of texts before a segment that are used as context. */
const contextTexts = 2

/** State of a segment without errors. */
const resetState = { attempts: 0, error: null, nextTryAt: null } as const

/** Creates the worker. */
export function createSegmentWorker(deps: SegmentWorkerDeps, closing: AbortSignal): SegmentWorker {
  const { clock, events } = deps
  const store = deps.store.meetings

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

  const update = async (
    row: SegmentRecord,
    patch: Parameters<typeof store.updateSegment>[1],
  ): Promise<void> => {
    // A permanently deleted meeting has no rows.
    const segment = await write(() =>
      store.segment(row.id) ? store.updateSegment(row.id, patch) : null,
    )
    if (segment) report(row.meetingId, [segment])
  }

  const learnedBy = (queue: MeetingQueue): readonly string[] => {
    const at = clock()
    if (queue.learned === null || Math.abs(at - queue.learned.at) >= learnedMs)
      queue.learned = { at, words: learnedWords(store.corrections(queue.id, 500), []) }
    return queue.learned.words
  }

  /** The first request for a segment. */
  const questionFor = (
    queue: MeetingQueue,
    meeting: Meeting,
    row: SegmentRecord,
    bounds: { readonly promptChars: number; readonly hotwords: number },
  ): SegmentRequest => {
    const { prompt, hotwords } = row.again ?? meeting
    const { before } = placesAround(queue, row)
    const earlier = store.before(row.id, contextTexts)
    const learned = hotwords.length > bounds.hotwords ? learnedBy(queue) : []
    return {
      meetingId: row.meetingId,
      channel: row.channel,
      span: { startMs: row.startMs, endMs: row.endMs },
      prompt: promptFor(prompt, row, before, earlier, bounds.promptChars),
      hotwords: rankHotwords(hotwords, learned, bounds.hotwords),
    }
  }

  const meetingError: SegmentWorker['meetingError'] = (id, error) => {
    const had = store.get(id)
    // Other errors of a meeting, such as its import, must not be cleared here.
    if (!had || (error === null && !(had.error && concernsAccount(had.error.code)))) return
    store.update(id, { error })
    report(id, [])
  }

  const transcribe: SegmentWorker['transcribe'] = async (queue, row, accountId, signal) => {
    const meeting = store.get(row.meetingId)
    if (!meeting) throw new AppError('CANCELLED', 'The meeting no longer exists')
    const target = await deps.accounts.target(accountId)
    const question = questionFor(queue, meeting, row, target.limits.transcription)
    const content = await deps.audio.extractSegment(row.meetingId, row.channel, question.span)
    const name = nameOf(question, content, target)
    const known = row.again && store.version(name)
    // The same request already had a good response: another pass over the same audio needs no request.
    if (known && known.segmentId === row.id && known.flags.length === 0) {
      await write(() => propose(row, { ...known, id: deps.ids(), at: clock() }))
      report(row.meetingId, segmentsOf([row.id]))
      return
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
          return settle(queue, row, transcribed, {
            id: freeId(name),
            accountId,
            accountName: target.accountName,
          })
        }),
      )
      isDone = true
      report(row.meetingId, segments, changed)
      // An earlier run may have left it there.
      if (meeting.error) meetingError(row.meetingId, null)
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
    queue: MeetingQueue,
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
    const around = aroundOf(queue, row)
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
  const aroundOf = (queue: MeetingQueue, row: SegmentRecord): Around => {
    const places = placesAround(queue, row)
    const one = (id: string | null): Segment | null => (id && store.segment(id)) || null
    return {
      before: one(places.before),
      after: one(places.after),
      across: segmentsOf(places.across),
    }
  }
  const segmentsOf = (ids: readonly string[]): readonly Segment[] =>
    ids.flatMap((id) => store.segment(id) ?? [])

  return {
    async begin(row) {
      const attempts = row.attempts + 1
      const patch = { attempts, error: null, nextTryAt: null } as const
      await update(row, row.again ? patch : { ...patch, state: 'inflight' })
      return { ...row, ...patch, state: row.again ? row.state : 'inflight' }
    },
    transcribe,
    async putBack(row) {
      const attempts = Math.max(0, row.attempts - 1)
      await update(row, row.again ? { attempts } : { attempts, state: 'pending' })
    },
    async wait(row, error, { nextTryAt, counts }) {
      const attempts = counts ? row.attempts : Math.max(0, row.attempts - 1)
      const patch = { attempts, error, nextTryAt }
      await update(row, row.again ? patch : { ...patch, state: 'pending' })
    },
    async giveUp(row, error) {
      const patch = { error, nextTryAt: null }
      // The remains of another pass are recognized by their count.
      const attempts = Math.max(row.attempts, maxAttempts)
      await update(row, row.again ? { ...patch, attempts } : { ...patch, state: 'failed' })
    },
    meetingError,
  }
}

/** Returns the state of a segment with this text. */
export function stateOf(text: string, flags: readonly Flag[]): 'done' | 'silent' | 'flagged' {
  if (text === '') return 'silent'
  return flags.some((flag) => flag !== 'seam') ? 'flagged' : 'done'
}

/** Transcription of a segment after all retries. */
interface SegmentTranscript {
  readonly result: TranscriptionResult
  /** The text; empty if there is none. */
  readonly text: string
  readonly flags: readonly Flag[]
}

/** Flags that another request may clear. */
const retryFlags: ReadonlySet<Flag> = new Set(['loop', 'too-fast', 'prompt-echo', 'hotword-echo'])

/** Minimum length of a half that is requested, in milliseconds. */
const shortestHalfMs = 1_500

/**
 * Transcribes a segment; an answer that looks like a loop or an echo is requested again without context, then in two halves, and
 * if nothing helps the shortest is saved with its flags (service-notes 17.3). A failure on the way returns the best answer so
 * far.
 */
async function transcribeSegment(
  deps: AskDeps,
  question: SegmentRequest,
  content: Uint8Array,
  voiced: readonly Span[],
): Promise<SegmentTranscript> {
  const voicedMs = voicedMsOf(question.span, voiced)
  const checked = (sent: SegmentRequest, result: TranscriptionResult): SegmentTranscript => {
    const text = result.noSpeech ? '' : spokenText(result.text)
    const evidence = { text, prompt: sent.prompt, hotwords: sent.hotwords, voicedMs }
    return { result, text, flags: text === '' ? [] : checkText(evidence) }
  }
  const first = checked(question, await requestWith(deps, question, content))
  if (!isDoubtful(first)) return first

  const echoed = first.flags.includes('hotword-echo')
  const bare = { ...question, prompt: '', hotwords: echoed ? [] : question.hotwords }
  const quiet = { ...deps, onDelta: () => {} }
  const tries: (() => Promise<SegmentTranscript>)[] = []
  if (question.prompt !== '' || echoed) {
    tries.push(async () => checked(bare, await requestWith(quiet, bare, content)))
  }
  const middle = middleOf(question.span, voiced)
  if (middle !== null) {
    tries.push(async () => {
      const left = { ...bare, span: { startMs: question.span.startMs, endMs: middle } }
      const right = { ...bare, span: { startMs: middle, endMs: question.span.endMs } }
      const halves = [await ask(quiet, left), await ask(quiet, right)] as const
      return checked(bare, joined(...halves))
    })
  }
  const further: SegmentTranscript[] = []
  for (const attempt of tries) {
    const next = await attempt().catch((error: unknown) => {
      if (deps.signal.aborted) throw error
      return null
    })
    if (next && !isDoubtful(next) && next.text !== '') return next
    if (next) further.push(next)
  }
  return shortest(first, further)
}

const isDoubtful = ({ flags }: SegmentTranscript): boolean =>
  flags.some((flag) => retryFlags.has(flag))

/**
 * The shortest non-empty text; `first` was doubtful, so it has one. An empty text is accepted if every further request agreed on
 * it.
 */
function shortest(
  first: SegmentTranscript,
  further: readonly SegmentTranscript[],
): SegmentTranscript {
  const silent = further[0]
  if (silent && further.every(({ text }) => text === '')) return silent
  const nonEmpty = [first, ...further].filter(({ text }) => text !== '')
  return nonEmpty.reduce((best, one) => (one.text.length < best.text.length ? one : best), first)
}

/** Where a segment is halved: in the longest pause of its middle third, else in its middle; null if it is too short. */
function middleOf({ startMs, endMs }: Span, voiced: readonly Span[]): number | null {
  const length = endMs - startMs
  if (length < 2 * shortestHalfMs) return null
  let best = Math.round((startMs + endMs) / 2)
  let longest = 0
  for (const [index, span] of voiced.entries()) {
    const next = voiced[index + 1]
    if (!next) break
    const at = Math.round((span.endMs + next.startMs) / 2)
    const central = at > startMs + length / 3 && at < endMs - length / 3
    if (central && next.startMs - span.endMs > longest) {
      longest = next.startMs - span.endMs
      best = at
    }
  }
  return best
}

/** Joins two halves to one answer. */
function joined(left: TranscriptionResult, right: TranscriptionResult): TranscriptionResult {
  const texts = [left, right]
    .filter(({ noSpeech }) => !noSpeech)
    .map(({ text }) => spokenText(text))
  return {
    ...left,
    text: joinTexts(texts),
    noSpeech: texts.length === 0,
    notice: left.notice ?? right.notice,
  }
}
