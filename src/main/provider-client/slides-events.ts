import { failureInside, type ErrorBody } from './errors.ts'
import type { EndMark, EventReader } from './event-call.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord } from './json.ts'
import {
  requireMaxRows,
  malformed,
  recordFrom,
  recordsFrom,
  textIn,
  type JsonRecord,
} from './lenient.ts'
import type { SlidesContent, SlidesConversation } from '../../shared/model/slides.ts'

export type SlidesMessage = SlidesConversation['messages'][number]

/** IDs to use when a response does not contain them. */
interface SlidesNames {
  readonly conversationId: string
  readonly agentId: string
}

/** Reads a history (service-notes 10), bare or in an envelope. */
export function readSlidesConversation(json: unknown, names: SlidesNames): SlidesConversation {
  const outer = isRecord(json) ? json : {}
  const box = outer['choices'] === undefined ? (recordFrom(outer['data']) ?? outer) : outer
  const conversationId = textIn(box, 'conversation_id')
  if (conversationId === null && box['choices'] === undefined) throw malformed('no-conversation')
  return {
    conversationId: conversationId ?? names.conversationId,
    agentId: textIn(box, 'agent_id') ?? names.agentId,
    messages: requireMaxRows(recordsFrom(box['choices']).flatMap(messagesOf), maxMessages),
  }
}

/**
 * Maximum number of fragments in a conversation: an endless stream is aborted before storing its content takes seconds.
 */
const maxMessages = 50_000

/** Reads the chunks of a conversation (service-notes 10) and emits each message in the order received. */
export function createSlidesReader(
  names: SlidesNames,
  emit: (message: SlidesMessage) => void,
): EventReader<SlidesConversation> {
  let { conversationId, agentId } = names
  let end: EndMark = 'open'
  const messages: SlidesMessage[] = []

  const take = (event: JsonRecord): ErrorBody | null => {
    const chunk = event['choices'] === undefined ? (recordFrom(event['data']) ?? event) : event
    conversationId = textIn(chunk, 'conversation_id') ?? conversationId
    agentId = textIn(chunk, 'agent_id') ?? agentId
    const failure = failureInside(event) ?? failureInside(chunk)
    if (failure) return failure
    for (const choice of recordsFrom(chunk['choices'])) {
      for (const message of messagesOf(choice)) {
        if (messages.push(message) > maxMessages) throw malformed('too-many')
        end = 'open'
        emit(message)
      }
      const { finish_reason: reason } = choice
      const failed = failureOfFinish(reason)
      if (failed) return failed
      if (typeof reason === 'string' && reason !== '' && reason !== 'tool_calls') end = 'said'
    }
    return null
  }

  return {
    take,
    whole(json) {
      const failure = take(json)
      if (failure === null && messages.length === 0) throw malformed('no-answer')
      return failure
    },
    get end() {
      return end
    },
    value: () => ({ conversationId, agentId, messages: joined(messages) }),
  }
}

function messagesOf(choice: JsonRecord): readonly SlidesMessage[] {
  const list = choice['messages'] ?? choice['message'] ?? choice['delta']
  return recordsFrom(list).map((message) => ({
    role: textIn(message, 'role') ?? 'assistant',
    phase: textIn(message, 'phase'),
    content: contentOf(message['content']),
  }))
}

function contentOf(value: unknown): readonly SlidesContent[] {
  if (value === undefined || value === null || value === '') return []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.map((raw) => {
    const fields = isRecord(raw) ? raw : {}
    const text = typeof raw === 'string' ? raw : textIn(fields, 'text')
    return {
      type: textIn(fields, 'type') ?? (text === null ? '' : 'text'),
      text,
      tagCn: textIn(fields, 'tag_cn'),
      tagEn: textIn(fields, 'tag_en'),
      fileUrl: textIn(fields, 'file_url'),
      imageUrl: textIn(fields, 'image_url'),
      raw,
    }
  })
}

/** Joins streamed text fragments: adjacent messages of the same role and phase that contain only text. */
function joined(messages: readonly SlidesMessage[]): readonly SlidesMessage[] {
  const whole: SlidesMessage[] = []
  let words: string[] = []
  const close = (): void => {
    const last = whole.at(-1)
    const [part] = last?.content ?? []
    if (last && part && words.length > 1) {
      const text = words.join('')
      whole[whole.length - 1] = {
        ...last,
        content: [{ ...part, text, raw: { type: 'text', text } }],
      }
    }
    words = []
  }
  for (const message of messages) {
    const last = whole.at(-1)
    const text = onlyText(message)
    const goesOn =
      text !== null &&
      words.length > 0 &&
      last?.role === message.role &&
      last.phase === message.phase
    if (!goesOn) {
      close()
      whole.push(message)
    }
    if (text !== null) words.push(text)
  }
  close()
  return whole
}

function onlyText({ content }: SlidesMessage): string | null {
  const [part, more] = content
  if (!part || more || part.type !== 'text') return null
  return part.fileUrl === null && part.imageUrl === null ? part.text : null
}
