import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'

/** Maximum number of attachments of one question. */
export const maxAttachments = 20

/** Handling of a pasted, dropped or chosen file. `picture`: sent inside the message, after conversion to PNG or JPEG. */
type FileFate = 'picture' | 'file' | 'refused'

const isImage = (file: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/(?!svg)/.test(file.type) || /\.(png|jpe?g|webp|gif|bmp|avif)$/i.test(file.name)

/** Returns the handling of a file: only assistants accept files; all accept images. */
export function fateOf(
  file: Pick<File, 'name' | 'type'>,
  who: ChatSettings['kind'] | null,
): FileFate {
  if (isImage(file)) return 'picture'
  return who === 'assistant' ? 'file' : 'refused'
}

/** Returns the identity of an attachment: a document may be attached again with other pages, an image only once. */
export const attachmentKey = (one: ChatAttachment): string =>
  one.kind === 'document'
    ? `document ${one.itemId} ${one.pages}`
    : `${one.kind} ${one.kind === 'meeting' ? one.itemId : one.mediaId}`

/** Returns the display name of an attachment. */
export const attachmentName = (one: ChatAttachment): string =>
  one.kind === 'document' ? one.title : one.name

/** Adds an attachment; returns the same list if it is already there or the limit is reached. */
export function withAttachment(
  all: readonly ChatAttachment[],
  one: ChatAttachment,
): readonly ChatAttachment[] {
  if (all.length >= maxAttachments) return all
  const key = attachmentKey(one)
  return all.some((other) => attachmentKey(other) === key) ? all : [...all, one]
}

/** Whether the responder accepts an attachment. */
export const isAccepted = (one: ChatAttachment, who: ChatSettings['kind'] | null): boolean =>
  one.kind !== 'file' || who === 'assistant'
