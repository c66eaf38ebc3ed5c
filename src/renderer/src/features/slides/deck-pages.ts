import type { SavedFile } from '../../../../shared/model/saved-file.ts'
import type { SlidesConversation } from '../../../../shared/model/slides.ts'

/** A page of a deck: its picture, and what is written on it as far as the reply says. */
export interface DeckPage {
  readonly file: SavedFile
  /** The service's own name for it, by language; empty where it has none. */
  readonly tag: { readonly en: string; readonly zh: string }
  /** Words on the page. */
  readonly text: string
  /** Place of the message it belongs to. */
  readonly message: number
}

/** Longest text that describes a picture, in characters. */
const maxTextLength = 300

/** The pages that a conversation names, in their order, each with the file that is kept of it. */
export function deckPages(
  conversation: SlidesConversation,
  files: readonly SavedFile[],
): readonly DeckPage[] {
  const byAddress = new Map(
    files.filter(({ role }) => role === 'page').map((file) => [file.address, file]),
  )
  return conversation.messages.flatMap(({ content }, message) =>
    content.flatMap(({ imageUrl, tagEn, tagCn, text }) => {
      const file = imageUrl === null ? undefined : byAddress.get(imageUrl)
      if (!file) return []
      // An address that is named twice is one page.
      byAddress.delete(file.address)
      const tag = { en: tagEn ?? tagCn ?? '', zh: tagCn ?? tagEn ?? '' }
      return [{ file, tag, text: plainText(text ?? ''), message }]
    }),
  )
}

/** The words of a text that may be HTML: a document that nothing is loaded or run in gives them. */
export function plainText(text: string): string {
  const words = /<\w+[^>]*>/.test(text) ? wordsOf(text) : text
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength - 1).toWellFormed()}…` : line
}

function wordsOf(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const part of page.querySelectorAll('script, style, template')) part.remove()
  const texts: string[] = []
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '')
  return texts.join(' ')
}
