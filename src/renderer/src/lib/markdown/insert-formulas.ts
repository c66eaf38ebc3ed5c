import { drawFormula, type FormulaProblem } from './formula.ts'
import { limits } from './limits.ts'
import { markers, type Formula } from './math-spans.ts'

/** Placeholder of a formula in a drawn block, until it is drawn. */
export interface FormulaSlot {
  readonly formula: Formula
  readonly element: HTMLElement
}

/** Restores a formula's source wherever its marker is in code or in an attribute. */
export function withSources(text: string, formulas: readonly Formula[]): string {
  return text.replaceAll(markers, (_, place: string) => formulas[Number(place)]?.source ?? '')
}

/**
 * Replaces each marker with an element that contains the formula's source until it is drawn; in code the source is restored
 * as text. Each formula is placed once, however often a text contains its marker.
 */
export function placeFormulas(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
): FormulaSlot[] {
  if (formulas.length === 0) return []
  const root = fragment.ownerDocument
  const texts: Text[] = []
  const walker = root.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  }
  const slots: FormulaSlot[] = []
  const placed = new Set<number>()
  for (const text of texts) {
    if (!text.data.includes('\u{FDD0}')) continue
    if (text.parentElement?.closest('code, pre, samp, kbd')) {
      text.data = withSources(text.data, formulas)
      continue
    }
    const parts: (string | Node)[] = []
    let from = 0
    for (const { 0: marker, 1: place, index } of text.data.matchAll(markers)) {
      parts.push(text.data.slice(from, index))
      from = index + marker.length
      const formula = formulas[Number(place)]
      if (!formula || placed.has(Number(place))) continue
      placed.add(Number(place))
      const element = root.createElement('span')
      element.className = formula.display ? 'md-formula md-display' : 'md-formula'
      element.textContent = formula.source
      slots.push({ formula, element })
      parts.push(element)
    }
    text.replaceWith(...parts, text.data.slice(from))
  }
  return slots
}

/** Draws the formula of a slot and empties the slot for it; null if its source stays, with the reason in its class and title. */
export function drawSlot(
  { formula, element }: FormulaSlot,
  words: Readonly<Record<FormulaProblem, string>>,
  small: boolean,
): readonly Node[] | null {
  const drawn = drawFormula(
    formula.tex,
    formula.display,
    small || formula.tex.length > limits.smallChars,
  )
  if (drawn.ok) {
    element.replaceChildren()
    element.dataset['tex'] = formula.source
    return [...drawn.element.childNodes]
  }
  element.classList.add('md-undrawn')
  element.title = words[drawn.why]
  return null
}
