import { withoutMarks } from '../../../../../shared/chat/references.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { finishedAnswer } from '../../../markdown/stream/finished-fragments.ts'
import { answerKit } from '../answer/answer-kit.ts'

/**
 * Result of a copy: `refused` by the browser, for example without focus; `long`: more than {@link maxRichLetters}.
 */
export type Copied = 'copied' | 'refused' | 'long'

/** Maximum number of letters of an answer copied with formatting: it is rendered all at once. */
export const maxRichLetters = 400_000

/** Copies a message to the clipboard as it was written, an answer without its citations. */
export const copyMarkdown = ({ role, text }: ChatMessage): Promise<Copied> =>
  write({ 'text/plain': role === 'assistant' ? withoutMarks(text) : text })

/**
 * Copies an answer to the clipboard as HTML that any program accepts, rendered from its whole text, and also as
 * Markdown.
 */
export function copyRich({ text }: ChatMessage): Promise<Copied> {
  if (text.length > maxRichLetters) return Promise.resolve('long')
  const plain = withoutMarks(text)
  return write({ 'text/plain': plain, 'text/html': richHtml(plain) })
}

/** Renders Markdown to HTML independent of the page: real links, formulas as MathML, tables with borders. */
export function richHtml(markdown: string): string {
  const holder = document.createElement('div')
  const own = { kit: answerKit(), mediaBase: '', links: 'real', formulas: 'mathml' } as const
  holder.append(finishedAnswer(markdown, own))
  for (const element of holder.querySelectorAll('*')) {
    if (element.closest('math')) continue
    for (const name of element.getAttributeNames())
      if (
        !/^(?:href|src|alt|title|colspan|rowspan|start|lang|dir)$/.test(name) &&
        !isLanguage(element, name)
      )
        element.removeAttribute(name)
    if (element.nodeName === 'TABLE') element.setAttribute('border', '1')
  }
  for (const element of holder.querySelectorAll('span, div'))
    if (!element.closest('math')) element.replaceWith(...element.childNodes)
  return holder.getHTML().trim()
}

/** Whether an attribute is the class by which other programs know the language of code. */
const isLanguage = (element: Element, name: string): boolean =>
  name === 'class' && element.nodeName === 'CODE' && element.className.startsWith('language-')

async function write(forms: Readonly<Record<string, string>>): Promise<Copied> {
  try {
    const items = Object.entries(forms).map(
      ([type, text]) => [type, new Blob([text], { type })] as const,
    )
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(items))])
    return 'copied'
  } catch {
    return 'refused'
  }
}
