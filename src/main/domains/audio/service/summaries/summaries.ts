import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { MeetingSummaryText, SummaryTemplate } from '../../../../../shared/model/meeting.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { persist } from '../../../../platform/database/persist.ts'
import { transcriptLanguage } from './language.ts'
import { summaryPrompt } from './prompt.ts'
import { type AnswerPoint, readAnswer } from './read-answer.ts'
import { createAskAssistant, saveReplyOf, type AskAssistant } from './summary-request.ts'
import { templateOf, type SummaryLanguage } from './templates.ts'
import { numberLines, chunksOf, type NumberedLine } from './transcript-chunks.ts'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'

/** Summarizes meetings with an assistant or agent. */
interface Summaries {
  /** Creates a running summary and returns; `onSummary` of its deps reports each change. */
  start(request: ParsedOf<'meetings.summarise'>): Promise<void>
  /** Stops a running summary; resolves when no request of it is active. */
  stop(summaryId: string): Promise<void>
  /** Stops running work for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  /** Marks summaries that an earlier run left running as failed. */
  resume(): void
  busy(): boolean
  shutdown(): Promise<void>
}

/** Dependencies of summaries; a subset of those of meetings. */
export interface SummariesDeps {
  readonly store: Store
  readonly api: Pick<Api, 'assistants' | 'agentChat'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  mask(text: string): string
  after(ms: number, work: () => void): () => void
  /** Called when a summary of this meeting changed. */
  onSummary(id: string): void
  /** Estimated tokens of the lines in one request; defaults to 8,000. */
  readonly chunkTokens?: number
}

/** Small enough for any assistant's context window together with rules and answer. */
const defaultChunkTokens = 8_000

interface Running {
  readonly meetingId: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** Creates summaries: a summary is a row from the start, and runs in main, whatever the page does. */
export function createSummaries(deps: SummariesDeps): Summaries {
  const { store, clock } = deps
  const running = new Map<string, Running>()
  const closing = new AbortController()

  /** Saves a summary unless it, or its meeting, no longer exists; then returns false. */
  const put = (meetingId: string, summary: MeetingSummaryText): Promise<boolean> =>
    persist(
      () => {
        const rows = store.meetings.get(meetingId)?.summaries
        if (!rows?.some(({ id }) => id === summary.id)) return false
        store.meetings.putSummary(meetingId, summary)
        return true
      },
      closing.signal,
      (error) => deps.log.warn('failed to save a summary, will retry', { code: error.code }),
    )
  const change = async (meetingId: string, summary: MeetingSummaryText): Promise<void> => {
    if (!(await put(meetingId, summary))) throw new AppError('CANCELLED', 'The summary was removed')
    deps.onSummary(meetingId)
  }

  const work = async (
    request: Parameters<Summaries['start']>[0],
    begun: MeetingSummaryText,
    signal: AbortSignal,
  ): Promise<void> => {
    const meeting = store.meetings.get(request.id)
    if (!meeting) return
    const { id: meetingId } = meeting
    const lines = store.meetings.lines(meetingId)
    const language = transcriptLanguage(lines)
    const { sections } = templateOf(store.meetings, request.templateId, language)
    const numbered = numberLines(meeting, lines, language)
    const lineIds = new Map(numbered.map(({ number, lineId }) => [number, lineId]))
    const asPoints = (points: readonly AnswerPoint[]): MeetingSummaryText['points'] =>
      points.map(({ section, text, numbers }) => ({
        section: sections[section]?.title ?? '',
        text: deps.mask(text),
        lineIds: numbers.flatMap((number) => lineIds.get(number) ?? []),
      }))
    const ask = createAskAssistant(
      {
        api: deps.api,
        signal,
        target: () => deps.accounts.target(request.accountId ?? meeting.accountId),
        keep: saveReplyOf(deps, meetingId, closing.signal),
        pause: (ms) => pause(ms, signal, deps.after),
      },
      request.assistantId,
    )
    const done = await sumUp({
      lines: numbered,
      sections,
      language,
      ask,
      chunkTokens: deps.chunkTokens ?? defaultChunkTokens,
      key: deps.ids,
      onPoints: (points, engine) =>
        change(meetingId, { ...begun, points: asPoints(points), engine: deps.mask(engine) }),
    })
    const { points, engine } = done
    const end = { state: 'done', points: asPoints(points), engine: deps.mask(engine) } as const
    await change(meetingId, { ...begun, ...end })
  }

  /** Preserves the points received so far and saves the failure. */
  const failed = async (meetingId: string, id: string, error: Failure): Promise<void> => {
    const now = store.meetings.get(meetingId)?.summaries.find((one) => one.id === id)
    if (now?.state !== 'running') return
    if (await put(meetingId, { ...now, state: 'failed', error })) deps.onSummary(meetingId)
  }

  const stopped = async (which: (id: string, one: Running) => boolean): Promise<void> => {
    const ending = Array.from(running).filter(([id, one]) => which(id, one))
    for (const [, { abort }] of ending) abort.abort()
    await Promise.all(ending.map(([, { done }]) => done))
  }

  return {
    async start(request) {
      const { id: meetingId, streamId: id } = request
      const meeting = store.meetings.get(meetingId)
      if (!meeting) throw new AppError('NOT_FOUND', 'Meeting not found')
      // Repeated request: its summary already exists.
      if (meeting.summaries.some((one) => one.id === id)) return
      const lines = store.meetings.lines(meetingId)
      if (!lines.some(({ text }) => text.trim() !== ''))
        throw new AppError('REFUSED', 'There is no transcript to summarize yet')
      const template = templateOf(store.meetings, request.templateId, transcriptLanguage(lines))
      const begun: MeetingSummaryText = {
        id,
        templateId: template.id,
        templateName: template.name,
        state: 'running',
        points: [],
        engine: '',
        error: null,
        at: clock(),
      }
      store.meetings.putSummary(meetingId, begun)
      const abort = new AbortController()
      const done = Promise.resolve()
        .then(() => work(request, begun, abort.signal))
        .catch(async (error: unknown) => {
          // Left running: the next start reports that it was left unfinished.
          if (closing.signal.aborted) return
          const known = abort.signal.aborted ? new AppError('CANCELLED', 'Stopped') : error
          if (!(known instanceof AppError)) deps.log.error('a summary', { error })
          await failed(meetingId, id, toFailure(known, clock()))
        })
        .catch((error: unknown) => deps.log.error('failed to finish a summary', { error }))
        .finally(() => {
          running.delete(id)
        })
      running.set(id, { meetingId, abort, done })
      deps.onSummary(meetingId)
    },
    stop: (summaryId) => stopped((id) => id === summaryId),
    forget: (ids) => stopped((_, { meetingId }) => ids.includes(meetingId)),
    resume() {
      if (!store.writable) return
      for (const { meetingId, summary } of store.meetings.runningSummaries()) {
        if (running.has(summary.id)) continue
        const left = new AppError('LEFT_UNFINISHED', 'Lectern quit while this was running', {
          retriable: true,
        })
        store.meetings.putSummary(meetingId, {
          ...summary,
          state: 'failed',
          error: toFailure(left, clock()),
        })
        deps.onSummary(meetingId)
      }
    },
    busy: () => running.size > 0,
    async shutdown() {
      closing.abort()
      await stopped(() => true)
    },
  }
}

/** Resolves after the given milliseconds, or at once when the signal fires. */
function pause(ms: number, signal: AbortSignal, after: SummariesDeps['after']): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const cancelTimer = after(ms, done)
    function done(): void {
      cancelTimer()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

/** Input for summarizing one meeting. */
interface SumUpJob {
  readonly lines: readonly NumberedLine[]
  readonly sections: SummaryTemplate['sections']
  readonly language: SummaryLanguage
  readonly ask: AskAssistant
  /** Estimated tokens of the lines in one request. */
  readonly chunkTokens: number
  /** Returns a new key for each fence. */
  key(): string
  /** Called after each chunk with all points so far, before they are joined. */
  onPoints(points: readonly AnswerPoint[], engine: string): Promise<void>
}

/**
 * Summarizes a meeting: each chunk becomes points, and the points of several chunks are joined by another request. Throws
 * AppError.
 */
async function sumUp(
  job: SumUpJob,
): Promise<{ readonly points: readonly AnswerPoint[]; readonly engine: string }> {
  const state: Progress = { job, points: [], engine: '' }
  const groups: (readonly AnswerPoint[])[] = []
  for (const chunk of chunksOf(job.lines, ({ text }) => text, job.chunkTokens))
    groups.push(...(await noted(state, chunk)))
  const all = inOrder(groups.flat())
  const points = groups.length > 1 ? await joined(state, all) : all
  return { points, engine: state.engine }
}

interface Progress {
  readonly job: SumUpJob
  points: AnswerPoint[]
  engine: string
}

/** The points of a chunk; a chunk that turns out too long is halved. */
async function noted(
  state: Progress,
  chunk: readonly NumberedLine[],
): Promise<readonly (readonly AnswerPoint[])[]> {
  const { job } = state
  try {
    const known = new Set(chunk.map(({ number }) => number))
    const lines = chunk.map(({ text }) => text)
    const points = await requestPoints(state, 'transcript', lines, known)
    state.points.push(...points)
    await job.onPoints(inOrder(state.points), state.engine)
    return [points]
  } catch (error) {
    if (!isTooLong(error) || chunk.length < 2) throw error
    const half = Math.ceil(chunk.length / 2)
    const first = await noted(state, chunk.slice(0, half))
    return [...first, ...(await noted(state, chunk.slice(half)))]
  }
}

/**
 * Joins the points of several chunks; first in groups if they do not fit together. Points that cannot be joined stay as they are.
 */
async function joined(
  state: Progress,
  points: readonly AnswerPoint[],
): Promise<readonly AnswerPoint[]> {
  const rowOf = ({ section, text, numbers }: AnswerPoint): string =>
    `[${section + 1}] ${text} [${numbers.join(', ')}]`
  const groups = chunksOf(points, rowOf, state.job.chunkTokens)
  const results: AnswerPoint[] = []
  for (const group of groups) results.push(...(await joinedOnce(state, group)))
  const fewer = results.length < points.length
  return groups.length > 1 && fewer ? joined(state, inOrder(results)) : inOrder(results)
}

async function joinedOnce(
  state: Progress,
  points: readonly AnswerPoint[],
): Promise<readonly AnswerPoint[]> {
  const { sections } = state.job
  const known = new Set(points.flatMap(({ numbers }) => numbers))
  const rows = points.map(
    ({ section, text, numbers }) =>
      `${sections[section]?.title ?? ''} | ${text} [${numbers.join(', ')}]`,
  )
  try {
    const found = await requestPoints(state, 'points', rows, known)
    return found.length > 0 ? found : points
  } catch (error) {
    if (isTooLong(error)) return points
    throw error
  }
}

/** Sends one request; only numbers of lines it contained are accepted. */
async function requestPoints(
  state: Progress,
  body: 'transcript' | 'points',
  lines: readonly string[],
  known: ReadonlySet<number>,
): Promise<readonly AnswerPoint[]> {
  const { language, sections, ask, key } = state.job
  const { text, engine } = await ask(summaryPrompt({ language, body, sections, lines, key: key() }))
  state.engine = engine
  const lastNumber = Math.max(0, ...known)
  return readAnswer(text, sections, lastNumber).map((point) => ({
    ...point,
    numbers: point.numbers.filter((number) => known.has(number)),
  }))
}

const inOrder = (points: readonly AnswerPoint[]): readonly AnswerPoint[] =>
  points.toSorted((a, b) => a.section - b.section)

const isTooLong = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'CONTEXT_TOO_LONG'
