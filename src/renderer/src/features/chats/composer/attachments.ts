import type { ChatAttachment, ChatSettings } from '../../../../../shared/model/chat.ts'

/** Most things that go with one question. */
export const maxAttachments = 20

/** What a file becomes that was pasted, dropped or chosen. `picture`: sent inside the message, once it is a PNG or JPEG. */
export type FileFate = 'picture' | 'file' | 'refused'

const isImage = (file: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/(?!svg)/.test(file.type) || /\.(png|jpe?g|webp|gif|bmp|avif)$/i.test(file.name)

/** Files go to assistants only; pictures go to all. */
export function fateOf(
  file: Pick<File, 'name' | 'type'>,
  who: ChatSettings['kind'] | null,
): FileFate {
  if (isImage(file)) return 'picture'
  return who === 'assistant' ? 'file' : 'refused'
}

/** What tells an attachment from the others: a document may be there with other pages, a picture only once. */
export const attachmentKey = (one: ChatAttachment): string =>
  one.kind === 'document' ? `document ${one.itemId} ${one.pages}` : `${one.kind} ${one.mediaId}`

/** Its name for the reader. */
export const attachmentName = (one: ChatAttachment): string =>
  one.kind === 'document' ? one.title : one.name

/** The attachments with one more; the same ones where it is there already or there are enough. */
export function withAttachment(
  all: readonly ChatAttachment[],
  one: ChatAttachment,
): readonly ChatAttachment[] {
  if (all.length >= maxAttachments) return all
  const key = attachmentKey(one)
  return all.some((other) => attachmentKey(other) === key) ? all : [...all, one]
}

/** Whether whoever answers takes it. */
export const isAccepted = (one: ChatAttachment, who: ChatSettings['kind'] | null): boolean =>
  one.kind !== 'file' || who === 'assistant'
