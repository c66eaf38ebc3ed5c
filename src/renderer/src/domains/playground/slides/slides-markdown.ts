import type { SavedFile } from '../../../../../shared/model/saved-file.ts'
import type { SlidesConversation } from '../../../../../shared/model/slides.ts'
import { plainText } from './deck-pages.ts'

/** Localized labels between the parts. */
export interface SlidesMarkdownLabels {
  readonly title: string
  readonly roles: { readonly user: string; readonly assistant: string }
  page(number: number): string
}

/** Converts a slides agent conversation to Markdown: messages by sender, pages with their text, files by their saved names. */
export function slidesMarkdown(
  { messages }: SlidesConversation,
  files: readonly SavedFile[],
  words: SlidesMarkdownLabels,
): string {
  const nameOf = (address: string): string =>
    files.find((file) => file.address === address)?.name ?? address
  let pages = 0
  const parts = messages.flatMap(({ role, content }) => [
    `## ${role === 'user' || role === 'assistant' ? words.roles[role] : role}`,
    ...content.map(({ text, imageUrl, fileUrl }) => {
      if (imageUrl !== null) {
        pages += 1
        const plain = plainText(text ?? '')
        return `${pages}. ${words.page(pages)}${plain === '' ? '' : `: ${plain}`} (\`${nameOf(imageUrl)}\`)`
      }
      return fileUrl === null ? (text ?? '') : `- \`${nameOf(fileUrl)}\``
    }),
  ])
  const whole = [`# ${words.title.replace(/\s+/g, ' ')}`, ...parts]
  return `${whole.filter((part) => part !== '').join('\n\n')}\n`
}
