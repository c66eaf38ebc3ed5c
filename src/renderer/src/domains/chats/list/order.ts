import type { Conversation } from '../../../../../shared/model/chat.ts'

/** Filter of the chat list; empty means any. `folderId`: ID of a folder, `who`: `agent` or the ID of an assistant. */
export interface ChatFilter {
  readonly folderId: string
  readonly tag: string
  readonly who: string
}

/** Filter that matches every chat. */
export const anyChat: ChatFilter = { folderId: '', tag: '', who: '' }

/** Returns the responder as in filters: `agent` or the ID of an assistant. */
export const responderOf = ({ settings }: Pick<Conversation, 'settings'>): string =>
  settings.kind === 'agent' ? 'agent' : settings.assistantId

/** Whether a chat belongs in the list: temporary ones and those in Trash never do. */
export const fitsChat = (chat: Conversation, { folderId, tag, who }: ChatFilter): boolean =>
  !chat.temporary &&
  chat.deletedAt === null &&
  (folderId === '' || chat.folderId === folderId) &&
  (tag === '' || chat.tags.includes(tag)) &&
  (who === '' || responderOf(chat) === who)

/** Compares chats for the list: pinned ones first, then by their newest message, newest first. */
function compareChats(a: Conversation, b: Conversation): number {
  if ((a.pinnedAt === null) !== (b.pinnedAt === null)) return a.pinnedAt === null ? 1 : -1
  return b.lastAt - a.lastAt
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
