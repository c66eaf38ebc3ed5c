import type { AnswerLabels } from './stream-labels.ts'

/** Which marks have a source, and what their chips are called. */
export interface ChipOptions {
  /** The numbers that sources have. */
  readonly sources: ReadonlySet<number>
  readonly words: Pick<AnswerLabels, 'source'>
}

/** A mark's chip: a button where there is a source, else its number alone. */
export function chip(root: Document, number: number, { sources, words }: ChipOptions): HTMLElement {
  const known = sources.has(number)
  const element = root.createElement(known ? 'button' : 'span')
  element.className = known ? 'md-cite' : 'md-cite md-uncited'
  element.dataset['n'] = String(number)
  element.textContent = String(number)
  if (element instanceof HTMLButtonElement) {
    element.type = 'button'
    element.setAttribute('aria-label', words.source(number))
  }
  return element
}

/** Makes chips anew whose sources have come or gone. */
export function renewChips(within: ParentNode, options: ChipOptions): void {
  for (const old of within.querySelectorAll<HTMLElement>('.md-cite')) {
    const number = Number(old.dataset['n'])
    const known = options.sources.has(number)
    if (known !== old instanceof HTMLButtonElement)
      old.replaceWith(chip(old.ownerDocument, number, options))
  }
}

/** The number of the chip that an event is about; null when it is about none. */
export function citeOf(event: Event): number | null {
  const found = event.target instanceof Element ? event.target.closest('button.md-cite') : null
  return found instanceof HTMLElement ? Number(found.dataset['n']) : null
}
