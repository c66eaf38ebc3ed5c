import { withoutMarks } from '../../../../../shared/chats/references.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { finishedAnswer } from '../../../lib/markdown/stream/finished-fragments.ts'
import { answerKit } from '../../../lib/markdown/stream/stream-context.ts'

/**
 * Result of a copy: `refused` by the browser, for example without focus; `long`: more than {@link maxRichLetters};
 * `incomplete`: the rest of the text could not be loaded.
 */
export type Copied = 'copied' | 'refused' | 'long' | 'incomplete'

/** Maximum number of letters of an answer copied with formatting: it is rendered all at once. */
const maxRichLetters = 400_000

/** Copies a message to the clipboard as it was written, an answer without its citations. `whole` is its complete text. */
export async function copyMarkdown(
  { role, text }: ChatMessage,
  whole: string | Promise<string> = text,
): Promise<Copied> {
  const shown = (markdown: string): string =>
    role === 'assistant' ? withoutMarks(markdown) : markdown
  if (typeof whole === 'string') return write({ 'text/plain': shown(whole) })
  const done = await write({ 'text/plain': whole.then(shown) })
  if (done === 'copied') return done
  return whole.then(
    () => done,
    () => 'incomplete',
  )
}

/**
 * Returns the complete text of a message: loads the rest of one that is shortened. Rejects when that fails, and while a
 * shortened answer is running: its rest can be read only after its end.
 */
export function wholeText(client: Client, message: ChatMessage): string | Promise<string> {
  const { shortened } = message
  if (!shortened || message.text.length >= shortened.text) return message.text
  const read = async (): Promise<string> => {
    if (message.state === 'running') throw new Error('The answer is still running')
    const ranges = [message.text]
    for (let from = message.text.length; from < shortened.text;) {
      const reply = await client.request('chats.text', { messageId: message.id, from })
      if (!reply.ok) throw new Error(reply.error.code)
      if (reply.data.text === '') throw new Error('The rest of the text is missing')
      ranges.push(reply.data.text)
      from += reply.data.text.length
    }
    return ranges.join('')
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
function richHtml(markdown: string): string {
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

/** Writes to the clipboard. A text that is still loading is passed as a promise: the permission by user action ends meanwhile. */
async function write(forms: Readonly<Record<string, string | Promise<string>>>): Promise<Copied> {
  try {
    const items = Object.entries(forms).map(([type, text]) => {
      const blob = (whole: string): Blob => new Blob([whole], { type })
      if (typeof text === 'string') return [type, blob(text)] as const
      const loaded = text.then(blob)
      // The caller reports it: avoids an unhandled rejection where the clipboard refuses first.
      loaded.catch(() => undefined)
      return [type, loaded] as const
    })
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(items))])
    return 'copied'
  } catch {
    return 'refused'
  }
}
