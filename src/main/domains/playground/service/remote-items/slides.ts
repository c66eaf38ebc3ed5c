import type { SlidesConversation } from '../../../../../shared/model/slides.ts'
import { requireMaxRows } from '../../../../provider-client/lenient.ts'
import type { WantedFile } from '../../store/remote-items-types.ts'
import { fileNameOf } from '../saved-files/file-name.ts'
import type { RemoteItemContent } from '../../store/remote-items-types.ts'
import { titleFrom, textFrom } from './remote-item-title.ts'

/** List metadata of a conversation with the slides agent. */
export function contentOfSlides(conversation: SlidesConversation): RemoteItemContent {
  const parts = conversation.messages.flatMap(({ role, content }) =>
    content.map((part) => ({ role, ...part })),
  )
  const questions = parts.flatMap(({ role, text }) => (role === 'user' && text ? [text] : []))
  const texts = parts.flatMap(({ text, tagCn, tagEn }) => [text ?? '', tagEn ?? '', tagCn ?? ''])
  return {
    title: titleFrom([...questions, ...texts]),
    model: null,
    status: null,
    goesOn: false,
    words: textFrom(texts),
    files: slideFiles(conversation),
  }
}

/** Maximum number of files in a conversation: a thousand pages, each with a file. */
const maxFiles = 2000

/** Page images and files in a conversation, without duplicate URLs, in order. Throws MALFORMED_REPLY if there are too many. */
export function slideFiles(conversation: SlidesConversation): readonly WantedFile[] {
  const seen = new Set<string>()
  const files: WantedFile[] = []
  const places = { page: 0, file: 0 }
  const add = (role: 'page' | 'file', address: string | null): void => {
    if (!address || seen.has(address)) return
    seen.add(address)
    const place = places[role]++
    files.push({ role, place, address, name: fileNameOf(role, place, address) })
  }
  for (const { content } of conversation.messages)
    for (const { imageUrl, fileUrl } of content) {
      add('page', imageUrl)
      add('file', fileUrl)
    }
  return requireMaxRows(files, maxFiles)
}
