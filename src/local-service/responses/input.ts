import { contentOf } from '../assistants/message-content.ts'
import type { QuotePassage } from '../assistants/quote.ts'
import { fieldIllegal, fieldMissing, jsonValue, type JsonObject } from '../json-body.ts'
import { checkedObject, choiceOf, textOf } from '../json-fields.ts'
import { limits } from '../../shared/provider/limits.ts'

export interface ResponseInput {
  /** Text of the last user message. */
  readonly question: string
  /** All text, for counting tokens. */
  readonly prompt: string
  /** Items as listed afterwards, in their original order. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
  /** Outputs of functions run by the client, which may contain the answer. */
  readonly passages: readonly QuotePassage[]
  /** Number of images and files, which are ignored. */
  readonly imageCount: number
}

interface ReadItem {
  readonly role: string
  readonly text: string
  readonly imageCount: number
  readonly passage: QuotePassage | null
}

function readItem(item: JsonObject): ReadItem {
  const type = textOf(item, 'type') ?? 'message'
  if (type === 'function_call_output') {
    const output = jsonValue(item, 'output')
    if (output === undefined) throw fieldMissing(`${item.path}.output`)
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    const source = textOf(item, 'call_id') ?? 'function'
    return { role: 'tool', text, imageCount: 0, passage: { source, text } }
  }
  if (type === 'function_call' || type === 'reasoning' || type === 'web_search_call')
    return { role: 'assistant', text: '', imageCount: 0, passage: null }
  if (/^(?:input_)?(?:text|image|file)$/.test(type)) {
    const part = contentOf({ path: item.path, values: { content: [item.values] } })
    return { role: 'user', ...part, passage: null }
  }
  if (type !== 'message') throw fieldIllegal(`${item.path}.type`, 'be a type of input items')
  const role = choiceOf(item, 'role', ['user', 'assistant', 'system', 'developer']) ?? 'user'
  return { role, ...contentOf(item), passage: null }
}

/** Reads `input`: a text or items. Throws 1213 and 1214. */
export function readInput(body: JsonObject, ids: () => string): ResponseInput {
  const input = jsonValue(body, 'input')
  if (input === undefined || input === '') throw fieldMissing('input')
  if (typeof input === 'string') {
    const content = [{ type: 'input_text', text: input }]
    const item = { type: 'message', role: 'user', content, id: `item-${ids()}` }
    return { question: input, prompt: input, items: [item], passages: [], imageCount: 0 }
  }
  if (!Array.isArray(input)) throw fieldIllegal('input', 'be a string or an array of items')
  if (input.length === 0) throw fieldIllegal('input', 'have at least 1 item')
  const objects = input.map((item: unknown, i) => checkedObject(item, `input[${i}]`))
  const read = objects.map(readItem)
  return {
    question: read.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '',
    prompt: read.map(({ text }) => text).join('\n'),
    items: objects.map(({ values }) => ({
      type: 'message',
      ...values,
      id: typeof values['id'] === 'string' ? values['id'] : `item-${ids()}`,
    })),
    passages: read.flatMap(({ passage }) => (passage ? [passage] : [])),
    imageCount: read.reduce((sum, { imageCount }) => sum + imageCount, 0),
  }
}

/** Items per page: the bounds of all lists of the service. */
export const itemsPerPage = { min: 1, max: limits.list.pageSize, default: 20 } as const
