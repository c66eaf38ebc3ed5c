import type { Conversation } from '../../../../../shared/model/chat.ts'
import { dayGroup } from '../../../i18n/format.ts'
import type { RowHeading } from '../../../ui/list-rows.ts'

/** A row of the list of conversations: a heading, or one of them. */
export type ChatRow =
  | RowHeading
  | {
      readonly key: string
      readonly rem: number
      readonly heading: null
      readonly chat: Conversation
      /** Filed under today or yesterday: the hour tells more than the date. */
      readonly recent: boolean
    }

/** Words the rows are made with. `folder`: the name of a folder, empty where none is to be shown. */
export interface ChatRowOptions {
  readonly now: number
  readonly language: string
  t(key: string): string
  folder(id: string | null): string
}

const rem = { heading: 2, chat: 3.5, filed: 4.625 } as const

/** Whether a row has a line of folder and tags. */
export const isFiled = (chat: Conversation, folder: string): boolean =>
  folder !== '' || chat.tags.length > 0

/** Conversations in the list's order, under headings: pinned ones, then days and months. */
export function chatRows(chats: readonly Conversation[], options: ChatRowOptions): ChatRow[] {
  const { now, language, t, folder } = options
  const rows: ChatRow[] = []
  let last = ''
  for (const chat of chats) {
    const group = dayGroup(chat.lastAt, now, language)
    const day =
      group.kind === 'month'
        ? group.label
        : t(`list.${group.kind === 'week' ? 'thisWeek' : group.kind}`)
    const heading = chat.pinnedAt === null ? day : t('chatList.pinned')
    if (heading !== last)
      rows.push({ key: `heading ${heading} ${chat.id}`, rem: rem.heading, heading })
    last = heading
    rows.push({
      key: chat.id,
      rem: isFiled(chat, folder(chat.folderId)) ? rem.filed : rem.chat,
      heading: null,
      chat,
      recent: group.kind === 'today' || group.kind === 'yesterday',
    })
  }
  return rows
}

/** What a row says beside who answers: what goes on comes first, then what was typed and not sent. */
export type ChatRowState = 'answering' | 'queued' | 'waiting' | 'draft'

/** What goes on in a conversation; null when nothing does. */
export function rowState(chat: Conversation): ChatRowState | null {
  if (chat.state !== 'idle') return chat.state
  return chat.draft !== null && chat.draft.text.trim() !== '' ? 'draft' : null
}
