import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import type { SlidesConversation } from '../../../../../shared/model/slides.ts'

/** A page of a deck: its image, and its text as far as the response contains it. */
export interface DeckPage {
  readonly file: SavedFile
  /** The provider's name for it, by language; empty if it has none. */
  readonly tag: { readonly en: string; readonly zh: string }
  /** Text on the page. */
  readonly text: string
  /** Index of the message it belongs to. */
  readonly message: number
}

/** Maximum length of a text that describes an image, in characters. */
const maxTextLength = 300

/** Returns the pages of a conversation, in order, each with its saved file. */
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
      // A URL that occurs twice is one page.
      byAddress.delete(file.address)
      const tag = { en: tagEn ?? tagCn ?? '', zh: tagCn ?? tagEn ?? '' }
      return [{ file, tag, text: plainText(text ?? ''), message }]
    }),
  )
}

/** Returns the plain text of a possible HTML text: parsed by an inert document that loads and runs nothing. */
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
