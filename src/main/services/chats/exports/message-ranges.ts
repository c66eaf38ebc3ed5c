import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { ChatExportChunk } from '../../../exports/chats/types.ts'
import type { Store } from '../../../store/types.ts'

/** Messages handed over at once, and their length: what one step of the main thread takes. A longer message goes alone, so does one whose rest is in parts. */
const maxMessages = 50
const mostChars = 256 * 1024

/** Messages in stretches for the worker, each with the hashes of what is attached to it. */
export function* stretches(
  messages: Iterable<ChatMessage>,
  store: Pick<Store, 'media' | 'documents'>,
): Generator<readonly ChatExportChunk[]> {
  let stretch: ChatExportChunk[] = []
  let chars = 0
  for (const message of messages) {
    const length = message.shortened
      ? Infinity
      : message.text.length + message.steps.reduce((sum, step) => sum + charsOf(step), 0)
    if (stretch.length > 0 && (stretch.length >= maxMessages || chars + length > mostChars)) {
      yield stretch
      stretch = []
      chars = 0
    }
    // Who its siblings are is told by the parents, and a list of thousands would be copied with each of them.
    stretch.push({ message: { ...message, siblings: [] }, hashes: hashesOf(message, store) })
    chars += length
  }
  if (stretch.length > 0) yield stretch
}

/** About the letters of a step: what tools brought is of any size. */
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
