import { contentOf } from '../assistants/message-content.ts'
import { fieldIllegal, fieldMissing, jsonValue, type JsonObject } from '../json-body.ts'
import {
  choiceOf,
  integerOf,
  numberOf,
  objectOf,
  objectsOf,
  requiredText,
  textOf,
} from '../json-fields.ts'

export interface ChatOrder {
  readonly question: string
  /** The text of all messages, for token counting. */
  readonly prompt: string
  readonly thinking: boolean
  readonly maxTokens: number | null
}

export interface ImageOrder {
  readonly prompt: string
  readonly width: number
  readonly height: number
}

/** Parses `POST /paas/v4/async/chat/completions` (service-notes 9), except its model. Throws 1213 and 1214. */
export function readChatOrder(body: JsonObject): ChatOrder {
  const messages = objectsOf(body, 'messages', { min: 1 })
  if (!messages) throw fieldMissing('messages')
  const turns = messages.map((message) => {
    requiredText(message, 'role')
    const role = choiceOf(message, 'role', ['system', 'user', 'assistant', 'tool'])
    return { role, ...contentOf(message) }
  })
  numberOf(body, 'temperature', { min: 0, max: 1 })
  numberOf(body, 'top_p', { min: 0, max: 1 })
  const thinking = objectOf(body, 'thinking')
  const kind = thinking && choiceOf(thinking, 'type', ['enabled', 'disabled'])
  return {
    question: turns.findLast(({ role }) => role === 'user')?.text ?? '',
    prompt: turns.map(({ text }) => text).join('\n'),
    thinking: kind === 'enabled',
    maxTokens: integerOf(body, 'max_tokens', { min: 1 }) ?? null,
  }
}

/** Parses `POST /paas/v4/videos/generations`, except its model: a text or an initial image. */
export function readVideoOrder(body: JsonObject): { readonly prompt: string } {
  const prompt = textOf(body, 'prompt') ?? ''
  if (prompt === '' && jsonValue(body, 'image_url') === undefined) throw fieldMissing('prompt')
  return { prompt }
}

/** Allowed side lengths of images in pixels. */
const side = { min: 64, max: 2048 } as const

/** Parses `POST /paas/v4/async/images/generations`, except its model. */
export function readImageOrder(body: JsonObject): ImageOrder {
  const prompt = requiredText(body, 'prompt')
  const [, width = '', height = ''] =
    /^(\d{2,4})x(\d{2,4})$/.exec(textOf(body, 'size') ?? '1024x1024') ?? []
  const sides = [Number(width), Number(height)]
  if (sides.some((pixels) => pixels < side.min || pixels > side.max))
    throw fieldIllegal('size', `be <width>x<height> with ${side.min} to ${side.max} pixels each`)
  return { prompt, width: Number(width), height: Number(height) }
}
