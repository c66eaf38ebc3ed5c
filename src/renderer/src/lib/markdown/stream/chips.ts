import { timeMarks } from '../../../../../shared/audio/transcript-text.ts'
import type { AnswerLabels } from './stream-context.ts'

/** Marks that have a source, and labels of their chips. */
interface ChipOptions {
  /** Numbers of the sources, each with its page or time, '' if unknown. */
  readonly sources: ReadonlyMap<number, string>
  readonly words: Pick<AnswerLabels, 'source'>
}

/** A mark's chip: a button if there is a source, else only its number. */
export function chip(root: Document, number: number, { sources, words }: ChipOptions): HTMLElement {
  const place = sources.get(number)
  const known = place !== undefined
  const element = root.createElement(known ? 'button' : 'span')
  element.className = known ? 'md-cite' : 'md-cite md-uncited'
  element.dataset['n'] = String(number)
  element.textContent = String(number)
  if (element instanceof HTMLButtonElement) {
    element.type = 'button'
    element.setAttribute('aria-label', words.source(number, place ?? ''))
    // Shown by the stylesheet: the text of the answer contains the number only.
    if (place) element.dataset['place'] = place
  }
  return element
}

/** Recreates chips whose sources were added, removed or located. */
export function renewChips(within: ParentNode, options: ChipOptions): void {
  for (const old of within.querySelectorAll<HTMLElement>('.md-cite')) {
    const number = Number(old.dataset['n'])
    const place = options.sources.get(number)
    const known = place !== undefined
    if (
      known !== old instanceof HTMLButtonElement ||
      (old.dataset['place'] ?? '') !== (place ?? '')
    )
      old.replaceWith(chip(old.ownerDocument, number, options))
  }
}

/** Replaces times of a meeting, `[3:45]`, with buttons. */
export function timeChips(
  root: Document,
  text: string,
  { words }: { readonly words: Pick<AnswerLabels, 'time'> },
): readonly (string | Node)[] {
  const parts: (string | Node)[] = []
  let from = 0
  for (const { start, end, times } of timeMarks(text)) {
    parts.push(text.slice(from, start))
    for (const { text: time, seconds } of times) {
      const button = root.createElement('button')
      button.type = 'button'
      button.className = 'md-time'
      button.dataset['seconds'] = String(seconds)
      button.textContent = time
      button.setAttribute('aria-label', words.time(time))
      parts.push(button)
    }
    from = end
  }
  return [...parts, text.slice(from)]
}

/** The seconds of the time that is the target of an event; null if there is none. */
export function timeOf(event: Event): number | null {
  const found = event.target instanceof Element ? event.target.closest('button.md-time') : null
  return found instanceof HTMLElement ? Number(found.dataset['seconds']) : null
}

/** The number of the chip that is the target of an event; null if there is none. */
export function citeOf(event: Event): number | null {
  const found = event.target instanceof Element ? event.target.closest('button.md-cite') : null
  return found instanceof HTMLElement ? Number(found.dataset['n']) : null
}
