import type { ChatMessage, ContentPart } from './agent-chat.ts'
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
