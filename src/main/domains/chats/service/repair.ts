import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { answerFold } from '../../../../shared/chats/answer.ts'
import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { Redactor } from '../../../platform/security/redact.ts'
import type { ChatStore } from '../store/chats-types.ts'
import { endOfLeft } from './end.ts'
import type { ChatsDeps } from './chat-service-types.ts'

/** Maximum time in milliseconds to wait for keys: the user may have to unlock the keychain first. */
const keysMs = 5000

/**
 * Loads the keys of all accounts so that they can be masked: none has been read yet when the leftovers of an earlier run
 * are reported and saved again. Never rejects; does not wait for a keychain that does not answer.
 */
export async function keysAreKnown({ accounts }: Pick<ChatsDeps, 'accounts'>): Promise<void> {
  const given = new AbortController()
  await Promise.race([
    accounts.list().catch(() => undefined),
    wait(keysMs, undefined, { ref: false, signal: given.signal }).catch(() => undefined),
  ])
  given.abort()
}

/** Number of events read at once. */
const eventsAtOnce = 2000

/**
 * Marks an answer that an earlier run of Lectern left unfinished as broken; its stored content stays. Yields to the main
 * thread between batches.
 */
export async function repairAnswer(
  chats: Pick<ChatStore, 'events' | 'savePart' | 'settle' | 'message' | 'sessionOf' | 'holderOf'>,
  messageId: string,
  clock: () => number,
  keys: Pick<Redactor, 'maskKnown' | 'openEnd'>,
): Promise<ChatMessage> {
  const soFar = answerFold()
  for (let from: number | null = 0; from !== null;) {
    const { batches, next } = chats.events(messageId, from, eventsAtOnce)
    for (const { json } of batches)
      for (const event of JSON.parse(json) as readonly AnswerEvent[]) soFar.take(event)
    from = next
    await setImmediate()
  }
  const sessionId = sessionIdOfQuestion(chats, messageId)
  const end = await endOfLeft(soFar.answer, sessionId, clock(), {
    ...keys,
    savePart: async (part) => chats.savePart(messageId, part),
  })
  return chats.settle(messageId, end)
}

/** Returns the session that the question of an answer continued; null for one that started its own. */
function sessionIdOfQuestion(
  chats: Pick<ChatStore, 'message' | 'sessionOf' | 'holderOf'>,
  messageId: string,
): string | null {
  const answer = chats.message(messageId)
  if (!answer || answer.retold > 0 || answer.parentId === null) return null
  const before = chats.message(answer.parentId)?.parentId ?? null
  if (before === null || chats.holderOf(before) !== chats.holderOf(messageId)) return null
  return chats.sessionOf(before)
}
