import type { Conversation } from '../../../../../shared/model/chat.ts'
import { dayGroup } from '../../../i18n/format.ts'
import type { RowHeading } from '../../../kit/list-rows.ts'

/** Row of the chat list: a heading, or a chat. */
type ChatRow =
  | RowHeading
  | {
      readonly key: string
      readonly rem: number
      readonly heading: null
      readonly chat: Conversation
      /** Filed under today or yesterday: the time is more useful than the date. */
      readonly recent: boolean
    }

/** Options for building rows. `folder`: returns the name of a folder, empty if none is shown. */
interface ChatRowOptions {
  readonly now: number
  readonly language: string
  t(key: string): string
  folder(id: string | null): string
}

const rem = { heading: 2, chat: 3.5, filed: 4.625 } as const

/** Whether a row has a line with folder and tags. */
const isFiled = (chat: Conversation, folder: string): boolean =>
  folder !== '' || chat.tags.length > 0

/** Returns chats in the list's order, under headings: pinned ones, then days and months. */
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

/** Status shown in a row next to the responder: running work takes precedence over an unsent draft. */
type ChatRowState = 'answering' | 'queued' | 'waiting' | 'draft'

/** Returns the status of a chat; null if there is none. */
export function rowState(chat: Conversation): ChatRowState | null {
  if (chat.state !== 'idle') return chat.state
  return chat.draft !== null && chat.draft.text.trim() !== '' ? 'draft' : null
}
