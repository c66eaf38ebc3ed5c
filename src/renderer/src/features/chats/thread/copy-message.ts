import { withoutMarks } from '../../../../../shared/chat/references.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'

/** What is drawn beside the words of an answer and does not belong to them. */
const beside = 'button, svg, [data-beside], .katex-html, .visually-hidden'

/** Puts a message on the clipboard as it was written, in an answer without its reference marks; false when the browser refused. */
export const copyMarkdown = ({ role, text }: ChatMessage): Promise<boolean> =>
  write({ 'text/plain': role === 'assistant' ? withoutMarks(text) : text })

/** Puts an answer on the clipboard with its looks, taken from where it is drawn, and as Markdown beside them. */
export function copyRich(message: ChatMessage, drawn: Element): Promise<boolean> {
  const copy = drawn.cloneNode(true)
  if (!(copy instanceof Element)) return Promise.resolve(false)
  for (const element of copy.querySelectorAll(beside)) element.remove()
  for (const element of copy.querySelectorAll('*'))
    for (const name of element.getAttributeNames())
      if (!/^(href|src|alt|title|colspan|rowspan|start|lang|dir|display)$/.test(name))
        element.removeAttribute(name)
  return write({
    'text/plain': withoutMarks(message.text),
    'text/html': new XMLSerializer().serializeToString(copy),
  })
}

async function write(forms: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const items = Object.entries(forms).map(
      ([type, text]) => [type, new Blob([text], { type })] as const,
    )
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(items))])
    return true
  } catch {
    // Refused, for example without focus: nothing was copied, and the caller says so.
    return false
  }
}
