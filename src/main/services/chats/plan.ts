import { limitsWith } from '../../../shared/service/limits.ts'
import type { ChatMessage, ChatSettings } from '../../../shared/model/chat.ts'
import type { Store } from '../../store/types.ts'
import type { Turn } from '../../store/chats-types.ts'
import { turnsToRetell } from './retell.ts'
import { whoOf } from './types.ts'

/** How a question reaches what was said before it: by a session that goes on, or by telling the earlier turns again. */
export interface Plan {
  readonly sessionId: string | null
  readonly turns: readonly Turn[]
}

/** The session that ends with what the question follows; where there is none, the earlier turns. */
export function planOf(
  store: Pick<Store, 'chats' | 'accounts'>,
  question: ChatMessage,
  settings: ChatSettings,
  accountId: string,
): Plan {
  const before = question.parentId === null ? undefined : store.chats.message(question.parentId)
  if (!before) return { sessionId: null, turns: [] }
  const isEnd =
    before.state === 'done' &&
    whoOf(before.settings) === whoOf(settings) &&
    !store.chats.sessionGoesOn(before.id)
  const sessionId = isEnd ? store.chats.sessionOf(before.id) : null
  return sessionId === null ? retelling(store, question.id, accountId) : { sessionId, turns: [] }
}

/** A session of its own, to which the earlier turns are told. */
export function retelling(
  store: Pick<Store, 'chats' | 'accounts'>,
  questionId: string,
  accountId: string,
): Plan {
  const { tokens } = limitsWith(store.accounts.get(accountId)?.profile.limits ?? {}).chat
  return { sessionId: null, turns: turnsToRetell(store.chats, questionId, tokens) }
}
