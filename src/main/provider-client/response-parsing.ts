import { isRecord } from './json.ts'
import {
  malformed,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  textsFrom,
  type JsonRecord,
} from './lenient.ts'
import type {
  OutputItem,
  StoredResponse,
  FunctionTool,
  ResponseTool,
} from '../../shared/model/response.ts'

/**
 * Returns whether a value is a Response, which reports its own failure (service-notes 13), rather than an error envelope.
 */
export function isResponse(json: unknown): boolean {
  if (!isRecord(json)) return false
  return json['object'] === 'response' || (textIn(json, 'id') !== null && 'output' in json)
}

/** Reads a Response (service-notes 13); missing values become null or empty. `askedId` replaces a missing ID. */
export function readResponse(json: unknown, requestedId: string): StoredResponse {
  if (!isRecord(json) || !('output' in json || 'id' in json || 'status' in json))
    throw malformed('no-response')
  const usage = recordFrom(json['usage'])
  const inputDetails = detailsIn(usage, 'input_tokens_details', 'prompt_tokens_details')
  const outputDetails = detailsIn(usage, 'output_tokens_details', 'completion_tokens_details')
  return {
    id: textIn(json, 'id') ?? requestedId,
    status: textIn(json, 'status') ?? '',
    model: textIn(json, 'model') ?? '',
    createdAt: numberIn(json, 'created_at') ?? numberIn(json, 'created'),
    instructions: textIn(json, 'instructions'),
    maxOutputTokens: numberIn(json, 'max_output_tokens'),
    temperature: numberIn(json, 'temperature'),
    topP: numberIn(json, 'top_p'),
    textFormat: typeIn(json['text']),
    tools: recordsFrom(json['tools']).map(readTool),
    error: readFailure(json['error']),
    incompleteReason: reasonIn(json),
    output: recordsFrom(json['output']).map(readItem),
    cachedTokens: inputDetails && numberIn(inputDetails, 'cached_tokens'),
    reasoningTokens: outputDetails && numberIn(outputDetails, 'reasoning_tokens'),
  }
}

/** Reads the input items of a Response, which keep their received form (service-notes 13). */
export function readInputItems(json: unknown): InputItems {
  const { data, ...fields } = isRecord(json) ? json : { data: json }
  if (data === undefined || (data !== null && typeof data !== 'object')) throw malformed('no-data')
  const items: readonly unknown[] = Array.isArray(data) ? data : data === null ? [] : [data]
  const last = items.at(-1)
  return {
    items,
    hasMore: fields['has_more'] === true || fields['has_more'] === 'true',
    lastId: textIn(fields, 'last_id') ?? (isRecord(last) ? textIn(last, 'id') : null),
  }
}

/** Reads the response to a deletion: a success means deleted unless it reports otherwise. */
export function readDeleted(json: unknown): { readonly deleted: boolean } {
  if (!isRecord(json)) throw malformed('no-response')
  return { deleted: json['deleted'] !== false && json['deleted'] !== 'false' }
}

function detailsIn(usage: JsonRecord | null, ...names: readonly string[]): JsonRecord | null {
  for (const name of names) {
    const details = recordFrom(usage?.[name])
    if (details) return details
  }
  return null
}

/** Returns `text.format.type`, or a format given only by its name. */
function typeIn(text: unknown): string | null {
  if (!isRecord(text)) return null
  const { format } = text
  return isRecord(format) ? textIn(format, 'type') : textIn(text, 'format')
}

function readFailure(error: unknown): StoredResponse['error'] {
  if (typeof error === 'string' && error !== '') return { code: '', message: error }
  if (!isRecord(error) || Object.keys(error).length === 0) return null
  return { code: textIn(error, 'code') ?? '', message: textIn(error, 'message') ?? '' }
}

function reasonIn(json: JsonRecord): string | null {
  const details = json['incomplete_details']
  return isRecord(details) ? textIn(details, 'reason') : textIn(json, 'incomplete_details')
}

type Message = Extract<OutputItem, { readonly type: 'message' }>

/** Reads one output item; unknown types keep their raw form. */
function readItem(item: JsonRecord): OutputItem {
  const id = textIn(item, 'id') ?? ''
  const status = textIn(item, 'status') ?? ''
  switch (item['type']) {
    case 'message': {
      const role = textIn(item, 'role') ?? 'assistant'
      const texts = textParts(item['content'])
      return { type: 'message', id, status, role, texts, ...sideTexts(item['content']) }
    }
    case 'reasoning': {
      const texts = textParts(item['content'] ?? item['summary'])
      return { type: 'reasoning', id, status, texts }
    }
    case 'function_call':
      return {
        type: 'function_call',
        id,
        status,
        namespace: textIn(item, 'namespace') ?? '',
        name: textIn(item, 'name') ?? '',
        callId: textIn(item, 'call_id') ?? '',
        arguments: jsonText(item['arguments']),
      }
    case 'web_search_call': {
      const action = recordFrom(item['action']) ?? {}
      const found = item['result'] ?? item['results']
      return {
        type: 'web_search_call',
        id,
        status,
        queries: textsFrom(action['queries'] ?? action['query']),
        sources: sourcesIn(action['source'] ?? action['sources']),
        results: Array.isArray(found)
          ? found
          : found === undefined || found === null
            ? []
            : [found],
      }
    }
    default:
      return { type: 'unknown', raw: item }
  }
}

/** Returns the texts of one part, of a list of parts, or of plain strings in place of parts. */
function textParts(content: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => {
    if (typeof part === 'string') return [part]
    const text = isRecord(part) ? part['text'] : undefined
    return typeof text === 'string' ? [text] : []
  })
}

/** Returns the content of a message other than its texts; a host may send more than the API reference lists. */
function sideTexts(content: unknown): Pick<Message, 'annotations' | 'others'> {
  const parts = (Array.isArray(content) ? content : [content]).filter(isRecord)
  const annotations = parts.flatMap(({ annotations: list }) => (Array.isArray(list) ? list : []))
  const others = parts.filter(({ text }) => typeof text !== 'string')
  return {
    ...(annotations.length > 0 && { annotations: annotations as readonly unknown[] }),
    ...(others.length > 0 && { others }),
  }
}

/** Returns the URLs of sources, given as texts or as objects that contain one. */
function sourcesIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((one) => {
    const address = isRecord(one) ? (one['url'] ?? one['link']) : one
    return typeof address === 'string' ? [address] : []
  })
}

/** Returns arguments as JSON text; some hosts send the value itself. */
function jsonText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

/** Reads one of the four tool types (service-notes 13); other types keep their raw form. */
function readTool(tool: JsonRecord): ResponseTool {
  switch (tool['type']) {
    case 'function':
      return readFunction(tool)
    case 'namespace':
      return {
        type: 'namespace',
        ...named(tool),
        tools: recordsFrom(tool['tools']).map(readFunction),
      }
    case 'custom':
      return { type: 'custom', ...named(tool) }
    case 'web_search':
      return { type: 'web_search' }
    default:
      return { type: 'unknown', raw: tool }
  }
}

/** Reads a function whose fields are next to its type, or inside `function` as in chat completions. */
function readFunction(tool: JsonRecord): FunctionTool {
  const inner = tool['function']
  const holder = isRecord(inner) ? inner : tool
  return { type: 'function', ...named(holder), parameters: holder['parameters'] ?? null }
}

function named(tool: JsonRecord): { readonly name: string; readonly description: string } {
  return { name: textIn(tool, 'name') ?? '', description: textIn(tool, 'description') ?? '' }
}

/** Input items of a Response, newest first by default (service-notes 13). */
interface InputItems {
  readonly items: readonly unknown[]
  readonly hasMore: boolean
  readonly lastId: string | null
}
