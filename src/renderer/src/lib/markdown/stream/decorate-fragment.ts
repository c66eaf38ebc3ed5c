import { tameLinks, linkAddress } from '../links.ts'
import type { Formula } from '../math-spans.ts'
import { imageAddress, imageBox } from '../images.ts'
import { placeFormulas, withSources, type FormulaSlot } from '../insert-formulas.ts'
import { tameSpans } from '../spans.ts'
import { codeFrame } from './code-frame.ts'
import { chip } from './chips.ts'
import { citeSigns } from './marks.ts'
import type { AnswerLabels } from './stream-labels.ts'

/** Number of lines above which code can be collapsed. */
const longLines = 24

const lineCount = (code: Element): number => code.textContent.split('\n').length

/** Options for decorating a sanitized piece. */
export interface DressOptions {
  /** URL prefix of the app's own media; empty while unknown: then no image is loaded. */
  readonly mediaBase: string
  readonly words: AnswerLabels
  /** Numbers of the sources: marks with other numbers are not buttons. */
  readonly sources: ReadonlySet<number>
}

/** Parts of a piece that are drawn later. */
export interface Dressed {
  readonly formulas: readonly FormulaSlot[]
  readonly codes: readonly HTMLElement[]
}

/** Decorates sanitized HTML for an answer: chips, inert links, our own images, frames around code, formula placeholders. */
export function dress(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  options: DressOptions,
): Dressed {
  putImages(fragment, formulas, options)
  tameLinks(fragment)
  tameSpans(fragment)
  const slots = placeFormulas(fragment, formulas)
  putChips(fragment, options)
  wrapTables(fragment, options.words)
  const codes: HTMLElement[] = []
  for (const pre of fragment.querySelectorAll('pre')) {
    const frame = codeFrame(pre.getAttribute('lang') ?? '', options.words)
    pre.replaceWith(frame.element)
    frame.code.append(...(pre.querySelector('code') ?? pre).childNodes)
    if (lineCount(frame.code) > longLines) frame.element.classList.add('md-long')
    codes.push(frame.element)
  }
  return { formulas: slots, codes }
}

/** Replaces each sign with a chip, except in code. */
function putChips(fragment: DocumentFragment, options: DressOptions): void {
  const root = fragment.ownerDocument
  const walker = root.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode())
    if (walker.currentNode instanceof Text && walker.currentNode.data.includes('\u{FDD2}'))
      texts.push(walker.currentNode)
  for (const text of texts) {
    if (text.parentElement?.closest('code, pre, samp, kbd, a')) {
      text.data = text.data.replaceAll(citeSigns, '')
      continue
    }
    const parts: (string | Node)[] = []
    let from = 0
    for (const { 0: sign, 1: number, index } of text.data.matchAll(citeSigns)) {
      parts.push(text.data.slice(from, index), chip(root, Number(number), options))
      from = index + sign.length
    }
    text.replaceWith(...parts, text.data.slice(from))
  }
}

/** Shows our own images; an external one becomes a link with its address. */
function putImages(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  { mediaBase, words }: DressOptions,
): void {
  const root = fragment.ownerDocument
  for (const image of fragment.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? ''
    const alt = withSources(image.alt, formulas).replaceAll(citeSigns, '')
    const own = imageAddress(address, mediaBase, (one) => one)
    if (own !== null) {
      const shown = root.createElement('img')
      shown.alt = alt
      shown.loading = 'lazy'
      shown.decoding = 'async'
      shown.src = own
      image.replaceWith(shown)
      continue
    }
    if (linkAddress(address) === null || image.closest('a')) {
      image.replaceWith(imageBox(root, { alt, address }, { away: words.imageAway }))
      continue
    }
    const link = root.createElement('a')
    link.setAttribute('href', address)
    link.append(alt === '' ? '' : `${alt} `, address)
    image.replaceWith(link)
  }
}

function wrapTables(fragment: DocumentFragment, words: AnswerLabels): void {
  for (const table of fragment.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue
    const box = tableBox(words, fragment.ownerDocument)
    table.replaceWith(box)
    box.append(table)
  }
}

/** A box in which a wide table scrolls, also by keyboard. */
export function tableBox(words: AnswerLabels, root: Document = document): HTMLElement {
  const box = root.createElement('div')
  box.className = 'md-table'
  box.tabIndex = 0
  box.setAttribute('role', 'region')
  box.setAttribute('aria-label', words.table)
  return box
}
