import { illegal, requireSome, under } from './request-limits.ts'

/**
 * Rejects messages that cannot be answered: none at all, none with text or an image, or one that is not from the user
 * (service-notes 6 and 8).
 */
export function checkMessages(messages: readonly ChatMessage[]): void {
  requireSome('messages', messages)
  const other = messages.find(({ role }) => role !== 'user')
  if (other) throw illegal('role', other.role.slice(0, 100))
  if (!messages.some(({ content }) => hasText(content)))
    throw under('messages', 1, 0, { reason: 'empty' })
}

function hasText(content: ChatMessage['content']): boolean {
  if (typeof content === 'string') return content.trim() !== ''
  return content.some((part) =>
    part.type === 'text' ? part.text.trim() !== '' : part.image_url.url !== '',
  )
}

/** Returns the messages with only the fields to send. */
export function wireMessages(messages: readonly ChatMessage[]): readonly unknown[] {
  return messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(wirePart),
  }))
}

function wirePart(part: ContentPart): ContentPart {
  return part.type === 'text'
    ? { type: part.type, text: part.text }
    : { type: part.type, image_url: { url: part.image_url.url } }
}

/** Part of a multimodal message (service-notes 6 and 8). Images are data URIs or URLs. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A message. Only `user` messages may be sent; a conversation is continued through its session. */
export interface ChatMessage {
  readonly role: 'user'
  readonly content: string | readonly ContentPart[]
}
