import { limitsWith } from '../../../../shared/provider/limits.ts'
import type { ChatAttachment, ChatMessage, ChatSettings } from '../../../../shared/model/chat.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Turn } from '../store/chats-types.ts'
import { turnsToResend } from './resend-history.ts'
import { responderOf } from './chat-service-types.ts'
import { withoutFileIds } from './uploads.ts'

/** How a question continues the conversation: in an existing session, or by sending the earlier turns again. */
export interface Plan {
  readonly sessionId: string | null
  readonly turns: readonly Turn[]
  /** Documents and uploaded files of the questions that are sent again. */
  readonly earlier: readonly ChatAttachment[]
}

/**
 * Returns the session that the question continues, if it belongs to this account and its current key; otherwise the
 * earlier turns.
 */
export function planOf(
  store: Pick<Store, 'chats' | 'accounts'>,
  question: ChatMessage,
  settings: ChatSettings,
  accountId: string,
): Plan {
  const before = lastReceived(store, question)
  if (!before) return { sessionId: null, turns: [], earlier: [] }
  const isEnd =
    before.state === 'done' &&
    responderOf(before.settings) === responderOf(settings) &&
    store.chats.holderOf(before.id) === store.accounts.holder(accountId) &&
    !store.chats.sessionContinues(before.id)
  const sessionId = isEnd ? store.chats.sessionOf(before.id) : null
  if (sessionId === null) return resending(store, question, accountId)
  return { sessionId, turns: [], earlier: [] }
}

/**
 * Returns what a question follows at the provider: a refused or unsent question is in no session, so the one before it
 * continues.
 */
function lastReceived(
  { chats }: Pick<Store, 'chats'>,
  question: ChatMessage,
): ChatMessage | undefined {
  const parentOf = ({ parentId }: ChatMessage): ChatMessage | undefined =>
    parentId === null ? undefined : chats.message(parentId)
  let before = parentOf(question)
  while (before && isEmptyAnswer(before) && chats.sessionOf(before.id) === null) {
    const refused = parentOf(before)
    const earlier = refused && parentOf(refused)
    if (!earlier) break
    before = earlier
  }
  return before
}

const isEmptyAnswer = ({ role, state, text }: ChatMessage): boolean =>
  role === 'assistant' && (state === 'failed' || (state === 'stopped' && text === ''))

/** Plan with a new session, to which the earlier turns are sent with their attachments. */
export function resending(
  store: Pick<Store, 'chats' | 'accounts'>,
  question: ChatMessage,
  accountId: string,
): Plan {
  const { tokens } = limitsWith(store.accounts.get(accountId)?.profile.limits ?? {}).chat
  const turns = turnsToResend(store.chats, question.id, tokens)
  const earlier = earlierAttachments(store, question, store.accounts.holder(accountId))
  return { sessionId: null, turns, earlier }
}

/** Maximum number of questions whose attachments are inspected, and of attachments that are sent again (newest first). */
const maxInspectedQuestions = 200
const maxEarlierAttachments = 10

/**
 * Returns attachments of the questions before one, newest first, without duplicates, images, and IDs of another holder's
 * files.
 */
function earlierAttachments(
  { chats }: Pick<Store, 'chats'>,
  question: ChatMessage,
  holder: string,
): readonly ChatAttachment[] {
  const own = new Set(question.attachments.map(nameOf))
  const found = new Map<string, ChatAttachment>()
  let at = question.parentId
  for (let inspected = 0; at !== null && inspected < maxInspectedQuestions; inspected++) {
    const message = chats.message(at)
    const given = (message?.attachments ?? []).filter(isGivenAgain)
    const isTheirs = given.length > 0 && message && chats.holderOf(message.id) !== holder
    for (const one of isTheirs ? withoutFileIds(given) : given)
      if (!own.has(nameOf(one)) && !found.has(nameOf(one))) found.set(nameOf(one), one)
    at = message?.parentId ?? null
  }
  return [...found.values()].slice(0, maxEarlierAttachments)
}

const isGivenAgain = (one: ChatAttachment): boolean =>
  !one.imported &&
  (one.kind === 'document' ||
    one.kind === 'meeting' ||
    (one.kind === 'file' && one.fileId !== null))

const nameOf = (one: ChatAttachment): string =>
  one.kind === 'document'
    ? `document ${one.itemId} ${one.pages}`
    : `${one.kind} ${one.kind === 'meeting' ? one.itemId : one.mediaId}`
