import type { ErrorCode } from '../../../../../shared/contract/reply.ts'
import type { ChatMessage, Conversation } from '../../../../../shared/model/chat.ts'
import {
  predefinedAssistants,
  purposesNotOnDevice,
} from '../../../../../shared/provider/assistants.ts'
import { engineOf } from '../../../../../shared/provider/engine-names.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'

/** Action on a message. */
export type Action =
  | 'copy'
  | 'copyRich'
  | 'copyImage'
  | 'speak'
  | 'edit'
  | 'regenerate'
  | 'continue'
  | 'stop'
  | 'send'
  | 'unqueue'
  | 'previous'
  | 'next'

/** Key of each action while a message has the focus; capitals are pressed with Shift. */
const actionKeys: Readonly<Record<Action, string>> = {
  copy: 'c',
  copyRich: 'C',
  copyImage: 'p',
  speak: 'a',
  edit: 'e',
  regenerate: 'r',
  continue: 'o',
  stop: 's',
  send: 'S',
  unqueue: 'u',
  previous: '[',
  next: ']',
}

/** Returns a key as shown in tooltips. */
export const keyText = (action: Action): string => {
  const key = actionKeys[action]
  if (key === '[' || key === ']') return key
  return key === key.toUpperCase() ? `Shift+${key}` : key.toUpperCase()
}

/** Returns the available actions of a message; `fixed`: the chat is read-only. */
export function actionsOf(message: ChatMessage, fixed: boolean): readonly Action[] {
  const { role, state, text, siblings } = message
  const actions: Action[] = []
  const ends = state !== 'running' && state !== 'queued' && state !== 'waiting'
  if (state === 'running' && !fixed) actions.push('stop')
  if (text !== '') actions.push('copy')
  if (role === 'assistant' && text !== '') actions.push('copyRich')
  if (role === 'assistant' && text !== '' && ends) actions.push('copyImage', 'speak')
  if (!fixed && role === 'user')
    actions.push(...(ends ? (['edit'] as const) : (['send', 'unqueue'] as const)))
  if (!fixed && role === 'assistant' && ends) actions.push('regenerate')
  if (!fixed && canContinue(message)) actions.push('continue')
  if (siblings.length > 1) actions.push('previous', 'next')
  return actions
}

/** Whether the rest of an answer can be requested: it has text but is incomplete. */
export const canContinue = ({ role, state, text, finishReason }: ChatMessage): boolean =>
  role === 'assistant' &&
  text !== '' &&
  (state === 'stopped' || state === 'broken' || (state === 'done' && finishReason === 'length'))

/** Failures that last until the account can be used again. */
const accountFailures: readonly ErrorCode[] = [
  'OFFLINE',
  'TIMEOUT',
  'TLS_UNTRUSTED',
  'ACCOUNT_REMOVED',
  'NO_KEY',
  'KEY_REJECTED',
  'QUOTA_EXHAUSTED',
]

/**
 * Whether This computer can answer instead of the account of a chat, which failed: it has the assistant, and reads what is
 * attached. Knowledge bases of an agent belong to their account.
 */
export function canAnswerOnDevice(
  { role, state, error }: ChatMessage,
  question: ChatMessage | undefined,
  { accountId, settings }: Pick<Conversation, 'accountId' | 'settings'>,
): boolean {
  if (role !== 'assistant' || state !== 'failed' || !error || !question) return false
  if (accountId === localAccountId || settings.kind !== 'assistant') return false
  const assistant = predefinedAssistants.find(({ id }) => id === settings.assistantId)
  return (
    accountFailures.includes(error.code) &&
    assistant !== undefined &&
    !purposesNotOnDevice.has(assistant.purpose) &&
    !question.attachments.some(({ kind }) => kind === 'image')
  )
}

/**
 * Whether an answer is the first of a chat and by This computer, which has no language model. Another account may report an
 * engine, too.
 */
export const isFirstOnDevice = (
  { role, depth, engine }: ChatMessage,
  accountId: string | undefined,
): boolean =>
  role === 'assistant' &&
  depth === 1 &&
  accountId === localAccountId &&
  engineOf(engine ?? '') !== null

/** Returns the position of a message among its siblings, from 1. */
export const placeOf = ({ id, siblings }: ChatMessage): number => siblings.indexOf(id) + 1

/** Returns the sibling before or after a message; null at the ends. */
export const siblingOf = (message: ChatMessage, by: 1 | -1): string | null =>
  message.siblings[message.siblings.indexOf(message.id) + by] ?? null

/** Returns the action of a key on a message; null when it has none. */
export function actionOfKey(
  event: KeyboardEvent,
  message: ChatMessage,
  fixed: boolean,
): Action | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null
  return actionsOf(message, fixed).find((action) => actionKeys[action] === event.key) ?? null
}
