import { withoutMarks } from '../../../../../shared/chat/references.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../api/client.ts'
import { finishedAnswer } from '../../../markdown/stream/finished-fragments.ts'
import { answerKit } from '../answer/answer-kit.ts'

/**
 * Result of a copy: `refused` by the browser, for example without focus; `long`: more than {@link maxRichLetters}.
 */
export type Copied = 'copied' | 'refused' | 'long'

/** Maximum number of letters of an answer copied with formatting: it is rendered all at once. */
export const maxRichLetters = 400_000
/** Puts a message on the clipboard as it was written, in an answer without its reference marks. `whole` is all of its text. */
export const copyMarkdown = (
  { role, text }: ChatMessage,
  whole: string | Promise<string> = text,
): Promise<Copied> => {
  const shown = (words: string): string => (role === 'assistant' ? withoutMarks(words) : words)
  return write({ 'text/plain': typeof whole === 'string' ? shown(whole) : whole.then(shown) })
}

/** All of a message's text: of one that is longer than a message the rest is read. Rejects where it cannot be. */
export function wholeText(client: Client, message: ChatMessage): string | Promise<string> {
  const { shortened } = message
  if (!shortened || message.text.length >= shortened.text) return message.text
  const read = async (): Promise<string> => {
    const pieces = [message.text]
    for (let from = message.text.length; ;) {
      const reply = await client.request('chats.text', { messageId: message.id, from })
      if (!reply.ok) throw new Error(reply.error.code)
      if (reply.data.text === '') return pieces.join('')
      pieces.push(reply.data.text)
      from += reply.data.text.length
    }
  }
  return read()
}

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

/** A text that is still read goes in as a promise: a browser forgets the key press meanwhile. */
async function write(forms: Readonly<Record<string, string | Promise<string>>>): Promise<Copied> {
  try {
    const items = Object.entries(forms).map(([type, text]) => {
      const blob = (whole: string): Blob => new Blob([whole], { type })
      return [type, typeof text === 'string' ? blob(text) : text.then(blob)] as const
    })
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(items))])
    return 'copied'
  } catch {
    return 'refused'
  }
}
