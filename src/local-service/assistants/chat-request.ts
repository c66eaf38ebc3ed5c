import { readResentMessage } from '../../shared/provider/resent-turns.ts'
import type { AssistantPurpose } from '../../shared/provider/assistants.ts'
import { ServiceError } from '../errors.ts'
import { fieldMissing, type JsonObject } from '../json-body.ts'
import {
  booleanOf,
  choiceOf,
  objectOf,
  objectsOf,
  requestIdOf,
  requiredText,
  textOf,
  userIdOf,
} from '../json-fields.ts'
import { brandedModel } from '../model-field.ts'
import { contentOf } from './message-content.ts'
import { purposeOf } from './predefined.ts'
import type { Extras } from './skills.ts'

/** A valid request to an assistant (service-notes 8). */
export interface ChatOrder {
  readonly assistantId: string
  readonly purpose: AssistantPurpose
  readonly model: string
  /** The last message. */
  readonly question: string
  /** All messages, for counting. */
  readonly prompt: string
  readonly extras: Extras
  readonly conversationId: string | null
  readonly stream: boolean
  readonly requestId: string | undefined
  /** Repeated in every response. */
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** Returns the assistant specified in a body. Throws 1213 and 1214. */
export function readAssistant(body: JsonObject): {
  readonly assistantId: string
  readonly purpose: AssistantPurpose
} {
  const assistantId = requiredText(body, 'assistant_id')
  const purpose = purposeOf(assistantId)
  if (!purpose)
    throw new ServiceError('fieldIllegal', 'assistant_id is not one of the predefined ids')
  return { assistantId, purpose }
}

/** The current question, without earlier turns repeated before it. */
const currentQuestion = (text: string): string => readResentMessage(text)?.message ?? text

/** Parses and validates a chat request except its attachments. Throws ServiceError for the first rule that is broken. */
export function readChat(body: JsonObject): ChatOrder {
  const assistant = readAssistant(body)
  const model = brandedModel(body, ['4-assistant', '4-alltools'])
  const messages = objectsOf(body, 'messages', { min: 1 })
  if (!messages) throw fieldMissing('messages')
  const contents = messages.map((message) => {
    requiredText(message, 'role')
    choiceOf(message, 'role', ['user'])
    return contentOf(message)
  })
  const extra = objectOf(body, 'extra_parameters')
  const translate = extra && objectOf(extra, 'translate')
  booleanOf(body, 'do_sample', true)
  userIdOf(body)
  return {
    ...assistant,
    model,
    question: currentQuestion(contents.at(-1)?.text ?? ''),
    prompt: contents.map(({ text }) => text).join('\n'),
    extras: {
      translate: translate
        ? { from: requiredText(translate, 'from'), to: requiredText(translate, 'to') }
        : null,
      imageCount: contents.reduce((sum, { imageCount }) => sum + imageCount, 0),
    },
    conversationId: textOf(body, 'conversation_id') ?? null,
    stream: booleanOf(body, 'stream', true),
    requestId: requestIdOf(body),
    metadata: objectOf(body, 'metadata')?.values ?? null,
  }
}
