import { readResentMessage } from '../../shared/provider/resent-turns.ts'
import { limits } from '../../shared/provider/limits.ts'
import { ServiceError } from '../errors.ts'
import { fieldIllegal, fieldMissing, fieldName, jsonValue, type JsonObject } from '../json-body.ts'
import {
  booleanOf,
  checkedObject,
  checkedText,
  integerOf,
  numberOf,
  objectOf,
  objectsOf,
  requiredText,
  textOf,
  textsOf,
} from '../json-fields.ts'
import type { PageKind } from '../engines/pages/messages.ts'
import type { RetrievalQuery } from '../knowledge/retrieve.ts'

interface MessageImage {
  readonly kind: PageKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A message with its text and images. */
export interface AgentMessage {
  readonly text: string
  readonly images: readonly MessageImage[]
}

/** Validated request (service-notes 6). */
export interface AgentRequest {
  readonly messages: readonly AgentMessage[]
  readonly retrieval: Omit<RetrievalQuery, 'query'>
  readonly maxSteps: number
  readonly thinking: boolean
  /** Whether a temperature was sent; it has no effect here. */
  readonly temperature: boolean
}

/** Maximum number of searches for one answer; more would only repeat earlier ones. */
const maxSteps = 100

const defaultSteps = 10

/** Model IDs without the brand prefix. */
const modelNames: ReadonlySet<string> = new Set(['5v-turbo'])

function checkModel(body: JsonObject): void {
  const model = textOf(body, 'model')
  const name = model && (/^[a-z][a-z0-9]*-(.+)$/.exec(model)?.[1] ?? '')
  if (name !== undefined && !modelNames.has(name))
    throw new ServiceError('unknownModel', 'Unknown model')
}

function imageOf(part: JsonObject): MessageImage {
  const image = objectOf(part, 'image_url')
  if (!image) throw fieldMissing(fieldName(part, 'image_url'))
  const name = fieldName(image, 'url')
  const url = requiredText(image, 'url')
  const data = /^data:image\/(png|jpe?g);base64,([A-Za-z0-9+/]+={0,2})$/.exec(url)
  if (!data)
    throw fieldIllegal(name, 'be a PNG or JPEG as a data URI: URLs aren’t loaded on-device')
  const bytes = Uint8Array.from(Buffer.from(data[2] ?? '', 'base64'))
  if (bytes.length > limits.layout.imageBytes) throw fieldIllegal(name, 'be at most 10 MB')
  return { kind: data[1] === 'png' ? 'png' : 'jpeg', bytes }
}

function messageOf(message: JsonObject): AgentMessage {
  const role = requiredText(message, 'role')
  if (role !== 'user') throw fieldIllegal(fieldName(message, 'role'), 'be user')
  const name = fieldName(message, 'content')
  const content = jsonValue(message, 'content')
  if (content === undefined) throw fieldMissing(name)
  if (!Array.isArray(content)) return filled({ text: checkedText(content, name), images: [] }, name)
  const parts = content.map((part: unknown, i) => checkedObject(part, `${name}[${i}]`))
  const texts: string[] = []
  const images: MessageImage[] = []
  for (const part of parts) {
    const type = requiredText(part, 'type')
    if (type === 'text') texts.push(textOf(part, 'text') ?? '')
    else if (type === 'image_url') images.push(imageOf(part))
    else throw fieldIllegal(fieldName(part, 'type'), 'be text or image_url')
  }
  return filled({ text: texts.join('\n'), images }, name)
}

/**
 * Expands a message that repeats earlier turns into those turns: the earlier questions and the current one.
 */
function withTurns(message: AgentMessage): readonly AgentMessage[] {
  const resent = readResentMessage(message.text)
  if (!resent) return [message]
  const earlier = resent.turns.filter(({ role, text }) => role === 'user' && text !== '')
  return [
    ...earlier.map(({ text }) => ({ text, images: [] })),
    { ...message, text: resent.message },
  ]
}

function filled(message: AgentMessage, name: string): AgentMessage {
  if (message.text.trim() === '' && message.images.length === 0) throw fieldMissing(name)
  return message
}

function retrievalOf(body: JsonObject): AgentRequest['retrieval'] {
  const preset = objectOf(body, 'retrieval')
  if (!preset) throw fieldMissing('retrieval')
  const baseIds = textsOf(preset, 'know_ids')
  if (!baseIds || baseIds.length === 0) throw fieldMissing('retrieval.know_ids')
  const { topK, topN } = limits.retrieve
  return {
    baseIds,
    documentIds: [],
    topK: integerOf(preset, 'top_k', { min: 1, max: topK }) ?? 8,
    topN: integerOf(preset, 'top_n', { min: 1, max: topN }) ?? 10,
    method: 'mixed',
    ratio: 80,
    rerank: booleanOf(preset, 'enable_rerank', false),
    threshold: numberOf(preset, 'similarity_threshold', { min: 0, max: 1 }) ?? 0.2,
  }
}

/** Reads and validates the body. Throws 1211, 1213, 1214. */
export function readAgentRequest(body: JsonObject): AgentRequest {
  checkModel(body)
  const messages = objectsOf(body, 'messages')
  if (!messages || messages.length === 0) throw fieldMissing('messages')
  return {
    messages: messages.flatMap((message) => withTurns(messageOf(message))),
    retrieval: retrievalOf(body),
    maxSteps: integerOf(body, 'max_steps', { min: 1, max: maxSteps }) ?? defaultSteps,
    thinking: booleanOf(body, 'enable_thinking', false),
    temperature: numberOf(body, 'temperature', { min: 0, max: 2 }) !== undefined,
  }
}
