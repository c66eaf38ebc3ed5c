import type { SummaryTemplate } from '../../../../shared/model/meeting.ts'
import { AppError } from '../../../errors.ts'
import type { AskAssistant } from './summary-request.ts'
import { chunksOf, type NumberedLine } from './transcript-chunks.ts'
import { summaryPrompt } from './prompt.ts'
import { readAnswer, type AnswerPoint } from './read-answer.ts'
import type { SummaryLanguage } from './templates.ts'

/** Input for summarizing one meeting. */
export interface SumUpJob {
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
export async function sumUp(
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
