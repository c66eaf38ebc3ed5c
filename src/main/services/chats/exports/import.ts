import { stat } from 'node:fs/promises'
import { chatJsonLimits } from '../../../../shared/bridge/chat-json.ts'
import type { ChatAttachment, ChatMessage, Conversation } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { ChatJsonAnswer, ChatJsonRequest } from '../../../exports/chats/chat-json-worker.ts'
import type { RemadeMessage } from '../../../exports/chats/reassign-chat-ids.ts'
import { contentId } from '../../../media/content-id.ts'
import type { Store } from '../../../store/types.ts'

/** Dependencies for importing a file. */
export interface TakingIn {
  readonly path: string
  /** ID of the conversation, and prefix of the IDs of its messages. */
  readonly prefix: string
  readonly store: Pick<Store, 'chats'>
  activeAccount(): { readonly id: string; readonly name: string }
}

/** Imports a conversation. Throws FILE_TOO_LARGE, UNSUPPORTED_FORMAT and DAMAGED_FILE, and then imports nothing. */
export async function importJson(
  ask: (request: ChatJsonRequest) => Promise<ChatJsonAnswer>,
  parts: TakingIn,
): Promise<Conversation> {
  const { path, prefix, store } = parts
  const { size } = await stat(path)
  if (size > chatJsonLimits.bytes)
    throw new AppError('FILE_TOO_LARGE', 'The JSON is too large', {
      params: { what: 'file', limit: chatJsonLimits.bytes, value: size },
    })
  const opened = await ask({ chatJson: 'open', path, prefix })
  if ('refused' in opened) {
    const { code, message, params } = opened.refused
    throw new AppError(code, message, { ...(params && { params }) })
  }
  if (!('head' in opened)) throw new Error('The JSON was opened without its header')
  const { head } = opened
  try {
    const messages = await allMessages(ask, prefix)
    const account = parts.activeAccount()
    return await store.chats.importConversation(
      {
        id: prefix,
        title: unturned(head.title),
        settings: head.settings,
        accountId: account.id,
        accountName: account.name,
        temporary: false,
        folderId: null,
        tags: [...new Set(head.tags.map(unturned))].filter((tag) => tag !== ''),
        at: head.createdAt,
      },
      messages,
      head.leafId,
    )
  } finally {
    // A worker that is gone has no data.
    await ask({ chatJson: 'close', prefix }).catch(() => undefined)
  }
}

/** Returns all messages, page by page. Siblings are determined by their parents. */
async function allMessages(
  ask: (request: ChatJsonRequest) => Promise<ChatJsonAnswer>,
  prefix: string,
): Promise<readonly ChatMessage[]> {
  const all: ChatMessage[] = []
  for (;;) {
    const answer = await ask({ chatJson: 'next', prefix })
    if (!('page' in answer) || answer.page === null) return all
    for (const message of answer.page)
      all.push({ ...message, siblings: [], attachments: message.attachments.map(attachmentOf) })
  }
}

/**
 * Files are identified by their content: a missing file still gets an entry, and opens once it is added. None of them is
 * sent, and no provider ID is trusted: a stranger may have written the file.
 */
function attachmentOf(one: RemadeMessage['attachments'][number]): ChatAttachment {
  if (one.kind === 'document') {
    const { kind, itemId, title, pages } = one
    return { kind, itemId, title: unturned(title), pages, imported: true }
  }
  const mediaId = one.sha256 === null ? 'gone' : contentId(one.sha256)
  const named = { mediaId, name: unturned(one.name), imported: true } as const
  return one.kind === 'image'
    ? { kind: 'image', ...named }
    : { kind: 'file', ...named, fileId: null }
}

/** Removes bidirectional control characters from a name: a stranger's file must not be shown with a false extension. */
const unturned = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
