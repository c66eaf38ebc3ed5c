import type { StarterPrompt } from '../../shared/model/chat.ts'
import { assistantModels } from '../../shared/provider/chat-defaults.ts'
import { wireModel } from '../../shared/provider/profiles.ts'
import { type ChatMessage, checkMessages, wireMessages } from './chat-messages.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import {
  createAssistantReader,
  type AssistantEvent,
  type AssistantAnswer,
} from './assistant-events.ts'
import type { CallParts } from './call.ts'
import { callEvents, wordsOf } from './event-call.ts'
import { endpointsOf } from './json-call.ts'
import { isRecord } from './json.ts'
import {
  flagIn,
  malformed,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  type JsonRecord,
} from './lenient.ts'
import { checkRange, checkUserId, requireSome } from './request-limits.ts'
import { thinkingCall } from './timeouts.ts'

/** A question for an assistant (service-notes 8). */
export interface AssistantRequest {
  readonly assistantId: string
  /** Neutral ID: `gen-4-assistant` (default) or `gen-4-alltools`. */
  readonly model?: string
  readonly messages: readonly ChatMessage[]
  readonly conversationId?: string
  readonly doSample?: boolean
  /** IDs of uploaded files. */
  readonly attachments?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly translate?: { readonly from: string; readonly to: string }
  readonly userId?: string
}

/** An assistant (service-notes 8). */
export interface Assistant {
  readonly id: string
  readonly name: string
  readonly avatar: string | null
  readonly description: string
  readonly tools: readonly string[]
  readonly tags: readonly { readonly key: string; readonly label: string }[]
  readonly status: string
  /** Texts, whether received as strings or objects; with a title if one was included. */
  readonly starterPrompts: readonly StarterPrompt[]
  /** ISO 8601, converted if received as Unix seconds. */
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

/** A conversation with an assistant; no endpoint returns its messages. */
interface AssistantConversation {
  readonly id: string
  readonly assistantId: string
  /** ISO 8601. */
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly totalTokens: number | null
}

/** Assistants (service-notes 8). */
export type AssistantsApi = ReturnType<typeof createAssistants>

export function createAssistants(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  return {
    /**
     * `POST /paas/v4/assistant` with `stream` true (the default) or false; complete responses emit the same events. A cut
     * throws `StreamBroken`.
     */
    async chat(
      target: ServiceTarget,
      request: AssistantRequest & { readonly stream?: boolean },
      options: CallOptions & { onEvent?(event: AssistantEvent): void },
    ): Promise<Answered<AssistantAnswer>> {
      checkChat(request, target)
      const model = wireModel(target.profile, request.model ?? assistantModels[0])
      const stream = request.stream ?? true
      return callEvents(
        parts,
        target,
        {
          operation: 'assistants.chat',
          model,
          // It opens a conversation, or adds the question to one, where a retry would add it twice.
          repeat: 'turn',
          path: '/paas/v4/assistant',
          json: (requestId) => chatBody(request, model, stream, requestId),
          accept: stream ? 'text/event-stream' : 'application/json',
          timeouts: thinkingCall(parts.longCall),
          open: (streamed) =>
            createAssistantReader((event) => {
              streamed(event)
              options.onEvent?.(event)
            }),
        },
        options,
      )
    },
    /** `POST /paas/v4/assistant/list` (service-notes 8). Without IDs, returns all. */
    list: endpoint('assistants.list', ({ ids = [] }: { readonly ids?: readonly string[] }) => ({
      path: '/paas/v4/assistant/list',
      json: () => ({ assistant_id_list: ids }),
      read: readAssistants,
    })),
    /** `POST /paas/v4/assistant/conversation/list` (service-notes 8); pages from 1, size 1 to 100. */
    conversations: endpoint(
      'assistants.conversations',
      (
        request: {
          readonly assistantId: string
          readonly page?: number
          readonly pageSize?: number
        },
        target,
      ) => {
        const { assistantId, page, pageSize } = request
        requireSome('assistant_id', assistantId)
        if (page !== undefined) checkRange('page', page, { min: 1, max: Infinity, whole: true })
        const maxPageSize = target.limits.list.pageSize
        if (pageSize !== undefined)
          checkRange('page_size', pageSize, { min: 1, max: maxPageSize, whole: true })
        return {
          path: '/paas/v4/assistant/conversation/list',
          json: () => ({
            assistant_id: assistantId,
            ...(page !== undefined && { page }),
            ...(pageSize !== undefined && { page_size: pageSize }),
          }),
          read: (json) => readConversations(json, assistantId),
        }
      },
    ),
  }
}

function checkChat(request: AssistantRequest, target: ServiceTarget): void {
  requireSome('assistant_id', request.assistantId)
  checkMessages(request.messages)
  checkUserId(request.userId, target)
  for (const id of request.attachments ?? []) requireSome('attachments', id)
}

/** Returns the JSON body in the order of the API reference, without absent fields. */
function chatBody(
  request: AssistantRequest,
  model: string,
  stream: boolean,
  requestId: string,
): unknown {
  const { conversationId, doSample, attachments, metadata, translate, userId } = request
  return {
    assistant_id: request.assistantId,
    model,
    messages: wireMessages(request.messages),
    ...(conversationId !== undefined && { conversation_id: conversationId }),
    stream,
    request_id: requestId,
    ...(userId !== undefined && { user_id: userId }),
    ...(doSample !== undefined && { do_sample: doSample }),
    ...(attachments &&
      attachments.length > 0 && {
        attachments: attachments.map((id) => ({ file_id: id })),
      }),
    ...(metadata && { metadata }),
    ...(translate && {
      extra_parameters: { translate: { from: translate.from, to: translate.to } },
    }),
  }
}

/** Reads the rows of an assistant list (service-notes 8). Rows without an ID cannot be used and are omitted. */
function readAssistants(json: unknown): readonly Assistant[] {
  const data = Array.isArray(json) ? json : isRecord(json) ? json['data'] : undefined
  const box = recordFrom(data)
  const rows = box?.['list'] ?? box?.['assistant_list'] ?? data
  if (rows === undefined) throw malformed('no-list')
  return recordsFrom(rows).flatMap(readAssistant)
}

function readAssistant(row: JsonRecord): readonly Assistant[] {
  const id = textIn(row, 'assistant_id') ?? textIn(row, 'id')
  if (id === null) return []
  return [
    {
      id,
      name: textIn(row, 'name') ?? id,
      avatar: textIn(row, 'avatar'),
      description: textIn(row, 'description') ?? '',
      tools: listOf(row['tools']).flatMap((tool) => labelOf(tool, ['type', 'name', 'key'])),
      tags: listOf(row['tags']).flatMap((tag) => {
        const [label] = labelOf(tag, ['label', 'name', 'key'])
        if (label === undefined) return []
        return [{ key: (isRecord(tag) ? textIn(tag, 'key') : null) ?? label, label }]
      }),
      status: textIn(row, 'status') ?? '',
      starterPrompts: listOf(row['starter_prompts']).flatMap(promptOf),
      createdAt: timeOf(row, 'created_at') ?? timeOf(row, 'create_time'),
      updatedAt: timeOf(row, 'updated_at') ?? timeOf(row, 'update_time'),
    },
  ]
}

/** Reads a page of conversations (service-notes 8). */
function readConversations(
  json: unknown,
  assistantId: string,
): { readonly conversations: readonly AssistantConversation[]; readonly hasMore: boolean } {
  const outer = isRecord(json) ? json : {}
  const box = recordFrom(outer['data']) ?? outer
  const rows = box['conversation_list'] ?? box['list'] ?? outer['data']
  if (rows === undefined) throw malformed('no-list')
  const owner = textIn(box, 'assistant_id') ?? assistantId
  return {
    // The container itself is not a row: it names no conversation.
    conversations: recordsFrom(rows).flatMap((row) => readConversation(row, owner)),
    hasMore: flagIn(box, 'has_more'),
  }
}

function readConversation(row: JsonRecord, owner: string): readonly AssistantConversation[] {
  const id = textIn(row, 'id') ?? textIn(row, 'conversation_id')
  if (id === null) return []
  const usage = recordFrom(row['usage'])
  return [
    {
      id,
      assistantId: textIn(row, 'assistant_id') ?? owner,
      createdAt: timeOf(row, 'create_time') ?? timeOf(row, 'created_at'),
      updatedAt: timeOf(row, 'update_time') ?? timeOf(row, 'updated_at'),
      totalTokens: usage && numberIn(usage, 'total_tokens'),
    },
  ]
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Returns a name that may be plain text or one of the fields of an object. */
function labelOf(value: unknown, names: readonly string[]): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!isRecord(value)) return []
  const text = names.map((name) => textIn(value, name)).find((one) => one !== null)
  return text ? [text] : []
}

/**
 * Returns a starter prompt, which is text or an object with any text field (service-notes 8). A title next to the text
 * becomes the button label.
 */
function promptOf(value: unknown): readonly StarterPrompt[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (!isRecord(value)) return []
  const title = textIn(value, 'title')?.trim() ?? ''
  const prompt = ['prompt', 'question']
    .map((name) => textIn(value, name))
    .find((one) => one !== null)
  const text = (prompt ?? wordsOf(value) ?? (title || firstText(value)))?.trim() ?? ''
  if (text === '') return title === '' ? [] : [title]
  return [title === '' || title === text ? text : { title, text }]
}

const firstText = (value: JsonRecord): string | undefined =>
  Object.values(value).find((one) => typeof one === 'string' && one.trim() !== '') as
    | string
    | undefined

/** Timestamps above this number of seconds (year 5138) are milliseconds. */
const maxSeconds = 100_000_000_000

/** Returns ISO 8601 for ISO text, `YYYY-MM-DD HH:MM:SS`, Unix seconds or milliseconds; null for anything else. */
function timeOf(row: JsonRecord, name: string): string | null {
  const number = numberIn(row, name)
  if (number !== null) {
    const date = new Date(Math.abs(number) < maxSeconds ? number * 1000 : number)
    return number <= 0 || Number.isNaN(date.getTime()) ? null : date.toISOString()
  }
  const text = textIn(row, name)
    ?.trim()
    .replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:)/, '$1T')
  return text && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}
