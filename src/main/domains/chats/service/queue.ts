import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { ChatStore } from '../store/chats-types.ts'

/** Whether a message is a question that has not been sent yet. */
export const isUnsent = ({ role, state }: Pick<ChatMessage, 'role' | 'state'>): boolean =>
  role === 'user' && (state === 'queued' || state === 'waiting')

/** Returns the unsent questions of a conversation, oldest first. */
export const unsentOf = (store: ChatStore, conversationId: string): readonly ChatMessage[] =>
  store
    .unfinished()
    .filter((one) => one.conversationId === conversationId && one.state !== 'running')
    .flatMap(({ messageId }) => store.message(messageId) ?? [])

/** Returns the chain of unsent questions after a message, including those after failed attempts without content. */
export function unsentBehind(
  store: ChatStore,
  conversationId: string,
  messageId: string,
): readonly ChatMessage[] {
  const byParent = new Map(unsentOf(store, conversationId).map((one) => [one.parentId, one]))
  const behind = (id: string): ChatMessage | undefined => {
    for (const each of [id, ...store.attempts(id)]) {
      const found = byParent.get(each)
      if (found) return found
    }
    return undefined
  }
  const chain: ChatMessage[] = []
  if (byParent.size > 0) for (let at = behind(messageId); at; at = behind(at.id)) chain.push(at)
  return chain
}

/** Whether a message is an unsent question or a failed attempt at one: questions asked after it are queued. */
export function isPending(store: Pick<ChatStore, 'message'>, message: ChatMessage): boolean {
  if (isUnsent(message)) return true
  const { role, state, parentId } = message
  if (role !== 'assistant' || state !== 'failed' || parentId === null) return false
  const question = store.message(parentId)
  return question !== undefined && isUnsent(question)
}

/** Whether the message that a question follows has ended, with any outcome. */
export function isOver(store: Pick<ChatStore, 'message'>, parentId: string | null): boolean {
  const parent = parentId === null ? undefined : store.message(parentId)
  return !parent || (parent.state !== 'running' && !isPending(store, parent))
}

/**
 * Changes the tree with a chain of unsent questions removed, then puts them back after the message that the change
 * returns, unmodified; their branch is then shown. Runs inside a transaction.
 */
export function movingBehind(
  store: ChatStore,
  conversationId: string,
  chain: readonly ChatMessage[],
  change: () => string | null,
): void {
  const rows = chain.map((one) => ({ one, holder: store.holderOf(one.id) }))
  for (const one of chain.toReversed()) store.takeBack(one.id)
  let parentId = change()
  for (const { one, holder } of rows) {
    const { id, state, text, attachments, settings, error, createdAt: at } = one
    const place = { id, conversationId, parentId, role: 'user', streamId: null } as const
    store.add({ ...place, state, text, attachments, settings, resentTurns: 0, holder, at })
    if (error) store.setState(id, { state, error })
    parentId = id
  }
}

/** Changes the tree without a user action: another branch that is shown stays shown. `place` is where the change happens. */
export function behindTheScenes(
  store: ChatStore,
  conversationId: string,
  place: readonly string[],
  change: () => void,
): void {
  const shown = store.get(conversationId)?.leafId ?? null
  change()
  if (shown !== null && !place.includes(shown) && store.message(shown)) store.choose(shown)
}
