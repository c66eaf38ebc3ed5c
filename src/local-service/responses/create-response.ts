import { engineNames } from '../../shared/provider/engine-names.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { answerFromLibrary } from '../assistants/answer.ts'
import { countTokens, cutToTokens } from '../assistants/count-tokens.ts'
import { languageOf } from '../assistants/language.ts'
import type { QuotedAnswer, QuotePassage } from '../assistants/quote.ts'
import type { ServiceContext } from '../context.ts'
import type { ResponseInput } from './input.ts'
import type { ResponseOrder } from './response-request.ts'
import { calledFunction } from './tools.ts'

/** Response object (service-notes 13) with information about the local service. */
export type ResponseObject = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly status: string
  readonly output: readonly OutputItem[]
}

/** One of the four types of output items. */
export type OutputItem = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly type: string
}

const searchNotice = engineNotices.noWeb
const imageNotice = engineNotices.inputNotSeen

/** Creates a Response object without output. */
export function emptyResponse(
  id: string,
  createdAt: number,
  { body, tokens: _, ...order }: ResponseOrder,
): ResponseObject {
  return {
    id,
    object: 'response',
    created_at: Math.floor(createdAt / 1000),
    model: order.model,
    status: 'in_progress',
    instructions: order.instructions,
    max_output_tokens: order.maxTokens,
    temperature: order.temperature,
    top_p: order.topP,
    text: { format: { type: order.format } },
    tools: body.values['tools'] ?? [],
    previous_response_id: order.previous,
    store: order.store,
    error: null,
    incomplete_details: null,
    output: [],
  }
}

const asJson = ({ text, quotes }: QuotedAnswer): string =>
  JSON.stringify({
    answer: text,
    quotes: quotes.map(({ source, text: quote }) => ({ source, text: quote })),
  })

/**
 * Completes a response: a function call if the input names one of the functions, otherwise a message with quotes.
 * Rejects if the signal aborts.
 */
export async function completeResponse(
  head: ResponseObject,
  order: ResponseOrder,
  input: ResponseInput,
  earlier: readonly QuotePassage[],
  context: ServiceContext,
  signal: AbortSignal,
): Promise<ResponseObject> {
  const { tools, format, maxTokens } = order
  const notices: string[] = input.imageCount > 0 ? [imageNotice] : []
  const output: OutputItem[] = []
  const item = (kind: string, type: string, fields: object): void =>
    void output.push({ id: `${kind}-${context.ids()}`, type, status: 'completed', ...fields })

  const answered = input.passages.length > 0
  const call = order.callFunctions && !answered && calledFunction(tools.functions, input.question)
  let reasoningTokens = 0
  let incomplete: string | null = null
  if (call) {
    item('fc', 'function_call', { ...call, call_id: `call-${context.ids()}` })
  } else {
    const passages = [...input.passages, ...earlier]
    const answer = await answerFromLibrary(context, input.question, signal, passages)
    notices.unshift(answer.notice)
    if (order.reasoning) {
      reasoningTokens = countTokens(answer.reasoning)
      const content = { type: 'reasoning_text', text: answer.reasoning }
      item('rs', 'reasoning', { content })
    }
    if (tools.webSearch && order.callFunctions) {
      notices.push(searchNotice)
      const action = { type: 'search', queries: [input.question], source: [] }
      item('ws', 'web_search_call', { action, result: [] })
    }
    const offline = tools.webSearch ? `\n\n${noWeb[languageOf(input.question)]}` : ''
    const whole = format === 'json_object' ? asJson(answer) : answer.text + offline
    const room = maxTokens === null ? Infinity : Math.max(0, maxTokens - reasoningTokens)
    const text = cutToTokens(whole, room)
    if (text !== whole) incomplete = 'max_output_tokens'
    const status = incomplete === null ? 'completed' : 'incomplete'
    const content = [{ type: 'output_text', text }]
    item('msg', 'message', { role: 'assistant', status, content })
  }
  const outputText = output
    .map((one) => JSON.stringify(one['content'] ?? one['arguments'] ?? ''))
    .join()
  return {
    ...head,
    status: incomplete === null ? 'completed' : 'incomplete',
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    output,
    usage: {
      input_tokens: order.tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: countTokens(outputText),
      output_tokens_details: { reasoning_tokens: reasoningTokens },
    },
    engine: call
      ? engineNames.functionNames
      : fillSentence(engineNames.quotes, { engine: context.text.name }),
    ...(call ? { notice: engineNotices.argumentsRead } : { notice: notices.join(' ') }),
  }
}

const noWeb = {
  en: engineNotices.noWeb,
  zh: '本机不支持联网搜索，我没有搜索互联网。',
} as const
