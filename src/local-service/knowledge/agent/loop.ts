import type { AnswerLanguage } from '../../assistants/language.ts'
import { quoteAnswer, type Quote } from '../../assistants/quote.ts'
import type { TextEngine } from '../../engines/text.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Found, RetrievalQuery } from '../retrieve.ts'
import { partAt } from '../../../shared/knowledge/slicing/join.ts'
import type { SlicePart } from '../../../shared/knowledge/slicing/types.ts'
import { apiSlice, type ReferencedSlice } from '../api-slice.ts'
import { partsOf, rewritten, type EarlierQuestion } from './rewrite.ts'
import { agentLabels, type AgentLabels } from './agent-labels.ts'

/** Event the agent emits while it works (service-notes 6). */
export type AgentStep =
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly callId: string
      readonly toolName: string
      readonly arguments: object
    }
  | {
      readonly type: 'tool_result'
      readonly callId: string
      readonly toolName: string
      readonly result: unknown
      readonly status: 'success' | 'error'
      readonly durationMs: number
    }

/** Result of a tool call, with the call ID. */
interface ToolOutcome<T> {
  readonly callId: string
  readonly value: T
}

/**
 * Calls a tool and emits steps before and after; if the tool fails, an `error` step is emitted before the error is
 * rethrown.
 */
export async function* callTool<T>(
  { ids, clock }: { readonly ids: () => string; readonly clock: () => number },
  toolName: string,
  given: object,
  run: () => Promise<T>,
): AsyncGenerator<AgentStep, ToolOutcome<T>> {
  const callId = `call-${ids()}`
  yield { type: 'tool_call', callId, toolName, arguments: given }
  const start = clock()
  const ended = { type: 'tool_result', callId, toolName } as const
  try {
    const value = await run()
    yield { ...ended, result: value, status: 'success', durationMs: clock() - start }
    return { callId, value }
  } catch (error) {
    const result = { message: 'The tool failed' }
    yield { ...ended, result, status: 'error', durationMs: clock() - start }
    throw error
  }
}

interface AgentTask {
  readonly question: string
  readonly earlier: readonly EarlierQuestion[]
  readonly retrieval: Omit<RetrievalQuery, 'query'>
  /** Maximum number of searches. */
  readonly maxSteps: number
  readonly language: AnswerLanguage
  readonly knowledge: Knowledge
  readonly text: TextEngine
  readonly signal: AbortSignal
  readonly clock: () => number
  readonly ids: () => string
}

export interface AgentOutcome {
  readonly parts: readonly PartOutcome[]
  readonly slices: readonly ReferencedSlice[]
  readonly keywords: readonly string[]
  /** Results of each tool call. */
  readonly nodes: ReadonlyMap<string, readonly ReferencedSlice[]>
  readonly calls: number
}

/** Rank of a sentence that ends the search, and minimum rank to be quoted when nothing is left to try. */
const goodEnough = 0.5
const minQuoted = 0.25

/**
 * Works on the questions one at a time until the results answer each, or until its queries or the steps are used up.
 */
export async function* runAgent(task: AgentTask): AsyncGenerator<AgentStep, AgentOutcome> {
  const words = agentLabels[task.language]
  const slices: ReferencedSlice[] = []
  const nodes = new Map<string, readonly ReferencedSlice[]>()
  const keywords: string[] = []
  const parts: PartOutcome[] = []
  let left = task.maxSteps
  let calls = 0

  /** Source lines of each slice, which clients of the response do not need. */
  const origins = new Map<string, readonly SlicePart[]>()

  const number = (sliceJson: ReturnType<typeof apiSlice>): ReferencedSlice => {
    const { _id: id } = sliceJson.metadata
    const known = slices.find(({ metadata: { _id: other } }) => other === id)
    const slice = { ...sliceJson, ref: known?.ref ?? slices.length + 1 }
    if (!known) slices.push(slice)
    return slice
  }

  const search = async (query: string): Promise<readonly ReferencedSlice[]> => {
    const { knowledge, retrieval, signal } = task
    const found = await knowledge.retrieve({ ...retrieval, query }, signal)
    return found.map((one) => {
      const slice = number(apiSlice(one, knowledge))
      origins.set(String(slice.ref), originsOf(one))
      return slice
    })
  }

  const questions = partsOf(task.question)
  for (const [i, question] of questions.entries()) {
    // A question may refer to an earlier one in the same message.
    const before = [...task.earlier, ...parts.map((part) => ({ ...part, keywords }))]
    const rewriting = yield* callTool(task, 'query_rewrite', { question }, async () =>
      rewritten(question, before),
    )
    calls += 1
    nodes.set(rewriting.callId, [])
    const plan = rewriting.value
    keywords.push(...plan.keywords.filter((word) => !keywords.includes(word)))
    yield { type: 'thought', text: words.thoughtRewrite(plan.keywords, plan.followsUp) }
    const mainQuery = plan.queries[0] ?? question
    const seen = new Map<number, ReferencedSlice>()
    const tried: string[] = []
    let quotes: readonly PlacedQuote[] = []
    // Distributes the remaining steps among the remaining questions.
    const maxQueries = Math.max(1, Math.floor(left / (questions.length - i)))
    for (const query of left > 0 ? plan.queries.slice(0, maxQueries) : []) {
      yield { type: 'thought', text: words.thoughtSearch(query) }
      const { baseIds: know_ids, topK: top_k, topN: top_n, rerank } = task.retrieval
      const given = { query, know_ids, top_k, top_n, enable_rerank: rerank }
      const found: ToolOutcome<readonly ReferencedSlice[]> = yield* callTool(
        task,
        'knowledge_retrieval',
        given,
        () => search(query),
      )
      calls += 1
      left -= 1
      tried.push(query)
      nodes.set(found.callId, found.value)
      const fresh = found.value.filter(({ ref }) => !seen.has(ref))
      for (const slice of fresh) seen.set(slice.ref, slice)
      if (fresh.length > 0)
        quotes = await bestQuotes(task, mainQuery, Array.from(seen.values()), origins)
      if ((quotes[0]?.score ?? 0) >= goodEnough) break
      yield { type: 'thought', text: words.thoughtRetry }
    }
    const relevant = quotes.filter(({ score }) => score >= minQuoted)
    const last = relevant.length > 0 ? words.thoughtFits(relevant.length) : words.thoughtGiveUp
    yield { type: 'thought', text: last }
    parts.push({ question, quotes: relevant, queries: tried })
  }
  return { parts, slices, keywords, nodes, calls }
}

/**
 * Returns the sentences of the results that answer the question, best first, each with the number of its slice.
 */
async function bestQuotes(
  { text, signal }: AgentTask,
  question: string,
  slices: readonly ReferencedSlice[],
  origins: ReadonlyMap<string, readonly SlicePart[]>,
): Promise<readonly PlacedQuote[]> {
  const passages = slices.map(({ ref, text: words }) => ({ source: String(ref), text: words }))
  const { quotes } = await quoteAnswer({ question, passages, text, signal })
  return quotes.map((quote) => ({
    ...quote,
    document: slices.find(({ ref }) => String(ref) === quote.source)?.metadata.doc_name ?? '',
    place: partAt(origins.get(quote.source) ?? [], quote.line),
  }))
}

/** Only the start position is known for a slice of an earlier version. */
const originsOf = ({ parts, places, line }: Found): readonly SlicePart[] =>
  parts.length > 0 ? parts : [{ at: 0, line, page: places[0]?.page ?? null }]

/** Quote with the position of its sentence in the document. */
interface PlacedQuote extends Quote {
  readonly document: string
  readonly place: Omit<SlicePart, 'at'>
}

/** Result for one question of the message. */
interface PartOutcome {
  readonly question: string
  /** The sources are slice numbers. */
  readonly quotes: readonly PlacedQuote[]
  readonly queries: readonly string[]
}

function sourceOf({ document, place }: PlacedQuote, { page, line }: AgentLabels): string {
  if (place.page !== null) return `${document}, ${page(place.page)}`
  return place.line === null ? document : `${document}, ${line(place.line)}`
}

/** Returns the answer: quotes with citations and sources, or a plain sentence if nothing matches. */
export function answerText(parts: readonly PartOutcome[], words: AgentLabels): string {
  const several = parts.length > 1
  const paragraphs = parts.flatMap(({ question, quotes, queries }) => {
    if (quotes.length === 0) return [words.nothing(question, queries)]
    const lines = quotes.map(
      (quote) =>
        `> ${quote.text}<reference data-ref="${quote.source}"></reference>\n>\n> — ${sourceOf(quote, words)}`,
    )
    return [...(several ? [`**${question}**`] : [words.found]), ...lines]
  })
  return paragraphs.join('\n\n')
}

/** Splits an answer into stream chunks, never inside a citation or a character. */
export const answerFragments = (answer: string): readonly string[] =>
  answer.match(/<reference[^>]*><\/reference>|[^<]{1,24}(?=\s|<|$)|[^<]{1,24}|</gu) ?? []
