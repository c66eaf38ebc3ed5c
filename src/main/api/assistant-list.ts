import type { StarterPrompt } from '../../shared/model/chat.ts'
import type { Assistant, AssistantConversation } from './assistants.ts'
import { wordsOf } from './event-text.ts'
import { isRecord } from './json.ts'
import { flagIn, malformed, numberIn, recordFrom, recordsFrom, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

/** Reads the rows of an assistant list (service-notes 8). Rows without an ID cannot be used and are omitted. */
export function readAssistants(json: unknown): readonly Assistant[] {
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
export function readConversations(
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
