import type { Conversation } from '../../../../../shared/model/chat.ts'
import { fitsQuery, type ListQuery } from '../../library/index.ts'

/** Returns the responder as in filters: `agent` or the ID of an assistant. */
export const responderOf = ({ settings }: Pick<Conversation, 'settings'>): string =>
  settings.kind === 'agent' ? 'agent' : settings.assistantId

/** Whether a chat belongs in a list, with any responder if `who` is empty: temporary ones and those in Trash never do. */
export const fitsChat = (chat: Conversation, query: ListQuery, who: string): boolean =>
  !chat.temporary &&
  chat.deletedAt === null &&
  fitsQuery(chat, query) &&
  (who === '' || responderOf(chat) === who)

/** Compares chats for the list: starred ones first, then by their newest message, newest first. */
function compareChats(a: Conversation, b: Conversation): number {
  return Number(b.starred) - Number(a.starred) || b.lastAt - a.lastAt
}

/**
 * Returns the list with an updated chat, or without it if it no longer matches. `whole`: all pages are loaded; otherwise a chat
 * older than all loaded ones arrives with its own page.
 */
export function placeChat(
  chats: readonly Conversation[],
  chat: Conversation,
  { fits, whole }: { readonly fits: boolean; readonly whole: boolean },
): readonly Conversation[] {
  const others = chats.filter(({ id }) => id !== chat.id)
  if (!fits) return others.length === chats.length ? chats : others
  const at = others.findIndex((other) => compareChats(chat, other) <= 0)
  if (at === -1 && !whole) return others
  return others.toSpliced(at === -1 ? others.length : at, 0, chat)
}
