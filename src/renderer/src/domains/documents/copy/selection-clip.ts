import type { Block } from '../../../../../shared/model/document.ts'
import { formulaMathml } from '../../../lib/markdown/formula.ts'
import { formulaTex } from '../../../lib/markdown/math-spans.ts'
import { plainHtml, wordsOf } from '../../../lib/markdown/plain-block.ts'
import { joinedMarkdown, type Clip } from './copy-forms.ts'

/** Elements of the app in the pane that are not part of the document. */
const ours = '.acts, .edited, .notice, button, textarea, [aria-hidden="true"]'

/**
 * Returns the clipboard content of a selection in the text of a document: completely selected blocks as their Markdown,
 * the selected words of others, in reading order; also HTML with tables and formulas, without elements of the app. Null
 * when no block is selected, or when its source is.
 */
function selectionClip(
  pane: HTMLElement,
  selection: Selection,
  blockOf: (id: string) => Block | null,
): Clip | null {
  if (selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!pane.contains(range.commonAncestorContainer)) return null
  const texts: string[] = []
  const pages: string[] = []
  for (const row of pane.querySelectorAll<HTMLElement>('[data-b]')) {
    const block = range.intersectsNode(row) ? blockOf(row.dataset['b'] ?? '') : null
    if (!block) continue
    if (row.querySelector('[data-testid="block-source"]')) {
      if (row.contains(range.commonAncestorContainer)) return null
      texts.push(block.content)
      continue
    }
    const words = selectedWords(range, row)
    const whole = words === wordsOf(cleaned(partOf(null, row), 'words'))
    if (words === '' && !(whole && block.kind === 'figure')) continue
    texts.push(whole ? joinedMarkdown([block]) : words)
    pages.push(plainHtml(cleaned(partOf(range, row), 'mathml')))
  }
  const text = texts.filter((one) => one !== '').join('\n\n')
  return text === '' ? null : { text, html: pages.join('\n') }
}

/** Returns the selected words of a row; formulas as their source. */
export const selectedWords = (selected: Range, row: HTMLElement): string =>
  wordsOf(cleaned(partOf(selected, row), 'words'))

/** Returns the selected part of a row, or all of it. */
function partOf(selected: Range | null, row: HTMLElement): DocumentFragment {
  const part = row.ownerDocument.createRange()
  part.selectNodeContents(row)
  if (selected && row.contains(selected.startContainer))
    part.setStart(selected.startContainer, selected.startOffset)
  if (selected && row.contains(selected.endContainer))
    part.setEnd(selected.endContainer, selected.endOffset)
  return part.cloneContents()
}

/**
 * Returns a part without the app's own elements; formulas as their source, or as MathML where it is supported.
 */
function cleaned(part: DocumentFragment, formulas: 'words' | 'mathml'): DocumentFragment {
  for (const formula of part.querySelectorAll<HTMLElement>('.md-formula')) {
    const source = formula.dataset['tex'] ?? formula.textContent
    const display = formula.classList.contains('md-display')
    const mathml = formulas === 'mathml' ? formulaMathml(formulaTex(source), display) : null
    formula.replaceWith(
      mathml === null
        ? source
        : (new DOMParser().parseFromString(mathml, 'text/html').querySelector('math') ?? source),
    )
  }
  for (const element of part.querySelectorAll(ours)) element.remove()
  for (const image of part.querySelectorAll('img')) image.replaceWith(image.alt)
  return part
}

/** Handles a copy event in the pane; leaves it to the browser where that gives a better result. */
export function copySelection(
  event: ClipboardEvent,
  pane: HTMLElement | null,
  blockOf: (id: string) => Block | null,
): void {
  const selection = pane?.ownerDocument.getSelection()
  const inField = event.target instanceof HTMLElement && event.target.closest('textarea, input')
  if (!pane || !selection || !event.clipboardData || inField) return
  const clip = selectionClip(pane, selection, blockOf)
  if (!clip) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', clip.text)
  if (clip.html !== null) event.clipboardData.setData('text/html', clip.html)
}
