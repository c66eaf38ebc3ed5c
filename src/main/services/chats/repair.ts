import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { answerFold } from '../../../shared/chat/answer.ts'
import type { AnswerEvent } from '../../../shared/chat/answer.ts'
import type { ChatMessage } from '../../../shared/model/chat.ts'
import type { Redactor } from '../../security/redact.ts'
import type { ChatStore } from '../../store/chats-types.ts'
import { endOfLeft } from './end.ts'
import type { ChatsDeps } from './types.ts'

/** Longest that keys are waited for, in milliseconds: somebody may have to unlock the keychain first. */
const keysMs = 5000

/**
 * Lets the keys of all accounts become known to what masks them: nobody was asked yet, so none has been read, and what an earlier run
 * left is told and kept anew. Never rejects; a keychain that does not answer is not waited for.
 */
export async function keysAreKnown({ accounts }: Pick<ChatsDeps, 'accounts'>): Promise<void> {
  const given = new AbortController()
  await Promise.race([
    accounts.list().catch(() => undefined),
    wait(keysMs, undefined, { ref: false, signal: given.signal }).catch(() => undefined),
  ])
  given.abort()
}

/** Events read at once. */
const eventsAtOnce = 2000

/**
 * Says of an answer that an earlier run of Lectern left unfinished that it is broken: what was stored of it stays. The main thread has a
 * breath between stretches.
 */
export async function repairAnswer(
  chats: Pick<ChatStore, 'events' | 'keepPart' | 'settle' | 'message' | 'sessionOf' | 'holderOf'>,
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
  const asked = languageOfQuestion(chats, messageId)
  const end = await endOfLeft(soFar.answer, asked, clock(), {
    ...keys,
    keep: async (part) => chats.keepPart(messageId, part),
  })
  return chats.settle(messageId, end)
}

/** The session that the question of an answer went on with; null for one that began its own. */
function languageOfQuestion(
  chats: Pick<ChatStore, 'message' | 'sessionOf' | 'holderOf'>,
  messageId: string,
): string | null {
  const answer = chats.message(messageId)
  if (!answer || answer.retold > 0 || answer.parentId === null) return null
  const before = chats.message(answer.parentId)?.parentId ?? null
  if (before === null || chats.holderOf(before) !== chats.holderOf(messageId)) return null
  return chats.sessionOf(before)
}
