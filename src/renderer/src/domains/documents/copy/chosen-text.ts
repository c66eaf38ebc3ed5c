import { wordsOf } from '../../../lib/markdown/plain-block.ts'

/**
 * Returns the selected text of a document, formulas as their source; empty when nothing of it is selected.
 */
export function chosenText(): string {
  const selection = document.getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return ''
  const range = selection.getRangeAt(0)
  const at = range.commonAncestorContainer
  const element = at instanceof Element ? at : at.parentElement
  const inText = element?.closest('[data-b]') ?? element?.querySelector(':scope [data-b]')
  if (!inText) return ''
  const part = range.cloneContents()
  for (const formula of part.querySelectorAll<HTMLElement>('.md-formula'))
    formula.replaceWith(`$${formula.dataset['tex'] ?? formula.textContent}$`)
  for (const ours of part.querySelectorAll(
    '.acts, .notice, button, textarea, [aria-hidden="true"]',
  ))
    ours.remove()
  // Lines of the page become paragraphs of Markdown.
  return wordsOf(part).replaceAll(/\n+/g, '\n\n')
}
