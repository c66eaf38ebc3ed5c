import type { Conversation } from '../../../../../shared/model/chat.ts'

/** Which conversations the list shows; empty means any. `folderId` of a folder, `who`: `agent` or the id of an assistant. */
export interface ChatFilter {
  readonly folderId: string
  readonly tag: string
  readonly who: string
}

/** Every conversation. */
export const anyChat: ChatFilter = { folderId: '', tag: '', who: '' }

/** Who answers, as filters name it: `agent` or the id of an assistant. */
export const responderOf = ({ settings }: Pick<Conversation, 'settings'>): string =>
  settings.kind === 'agent' ? 'agent' : settings.assistantId

/** Whether a conversation belongs into the list: temporary ones never do, nor those in the bin. */
export const fitsChat = (chat: Conversation, { folderId, tag, who }: ChatFilter): boolean =>
  !chat.temporary &&
  chat.deletedAt === null &&
  (folderId === '' || chat.folderId === folderId) &&
  (tag === '' || chat.tags.includes(tag)) &&
  (who === '' || responderOf(chat) === who)

/** Order of the list: pinned ones first, then by their newest message, newest first. */
export function compareChats(a: Conversation, b: Conversation): number {
  if ((a.pinnedAt === null) !== (b.pinnedAt === null)) return a.pinnedAt === null ? 1 : -1
  return b.lastAt - a.lastAt
}

/**
 * The list with one conversation as it is now, or without it where it does not fit any more. `whole`: nothing is left to read;
 * otherwise what is older than all that was read comes with its own page.
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
