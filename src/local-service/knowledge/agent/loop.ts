import type { AnswerLanguage } from '../../assistants/language.ts'
import { quoteAnswer } from '../../assistants/quote.ts'
import type { TextEngine } from '../../engines/text.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Found, RetrievalQuery } from '../retrieve.ts'
import { partAt } from '../../../shared/knowledge/slicing/join.ts'
import type { SlicePart } from '../../../shared/knowledge/slicing/types.ts'
import type { PartOutcome, PlacedQuote } from './answer.ts'
import { apiSlice } from '../api-slice.ts'
import type { ReferencedSlice } from '../api-slice.ts'
import { partsOf, rewritten } from './rewrite.ts'
import type { EarlierQuestion } from './rewrite.ts'
import { callTool } from './tools.ts'
import type { AgentStep, ToolOutcome } from './tools.ts'
import { agentLabels } from './agent-labels.ts'

/** Input of an agent run. */
export interface AgentTask {
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

/** Result of an agent run. */
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
