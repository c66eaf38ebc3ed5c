import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { ChatExportChunk } from '../../../exports/chats/types.ts'
import type { Store } from '../../../store/types.ts'

/**
 * Maximum number of messages and characters per batch: the work of one step of the main thread. A longer message is sent
 * alone, and so is one with parts.
 */
const maxMessages = 50
const maxChars = 256 * 1024

/** Yields messages in batches for the worker, each with the hashes of its attachments. */
export function* messageRanges(
  messages: Iterable<ChatMessage>,
  store: Pick<Store, 'media' | 'documents'>,
): Generator<readonly ChatExportChunk[]> {
  let range: ChatExportChunk[] = []
  let chars = 0
  for (const message of messages) {
    const length = message.shortened
      ? Infinity
      : message.text.length + message.steps.reduce((sum, step) => sum + charsOf(step), 0)
    if (range.length > 0 && (range.length >= maxMessages || chars + length > maxChars)) {
      yield range
      range = []
      chars = 0
    }
    // Siblings are determined by the parents, and a list of thousands would be copied with each message.
    range.push({ message: { ...message, siblings: [] }, hashes: hashesOf(message, store) })
    chars += length
  }
  if (range.length > 0) yield range
}

/** Approximate number of characters of a step: tool output has any size. */
const charsOf = (step: ChatMessage['steps'][number]): number =>
  step.kind === 'reasoning' || step.kind === 'thought'
    ? step.text.length
    : JSON.stringify(step).length

function hashesOf(
  { attachments }: ChatMessage,
  store: Pick<Store, 'media' | 'documents'>,
): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const one of attachments) {
    const isDocument = one.kind === 'document'
    const id = isDocument ? one.itemId : one.mediaId
    const mediaId = isDocument ? store.documents.get(id)?.mediaId : id
    const sha256 = mediaId ? store.media.get(mediaId)?.sha256 : undefined
    if (sha256 !== undefined) hashes[id] = sha256
  }
  return hashes
}
