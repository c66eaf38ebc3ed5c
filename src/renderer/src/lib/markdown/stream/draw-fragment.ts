import type { Token } from 'markdown-it'
import type { SteppingCleaner } from '../clean.ts'
import type { Steps } from '../render-steps.ts'
import { loadOf, weigh } from '../render-cost.ts'
import type { Grammar, References } from './grammar.ts'
import { htmlOf } from './html.ts'
import { topsOf, isTight, tokensOf, type FragmentSource } from './fragment-tokens.ts'
import { tameLinks, linkAddress } from '../links.ts'
import type { Formula } from '../math-spans.ts'
import { imageAddress, imageBox } from '../images.ts'
import { placeFormulas, withSources, type FormulaSlot } from '../insert-formulas.ts'
import { tameSpans } from '../spans.ts'
import { codeFrame } from './code-frame.ts'
import { chip, timeChips } from './chips.ts'
import { citeSigns } from './marks.ts'
import type { AnswerLabels } from './stream-context.ts'

/** Options for drawing pieces. */
interface FragmentOptions extends DecorateOptions {
  readonly grammar: Grammar
  readonly clean: SteppingCleaner
  readonly references: References
}

/** A piece ready for insertion into the page. */
export interface DrawnFragment extends Decorated {
  readonly fragment: DocumentFragment
  /** Labels that its links may refer to. */
  readonly labels: ReadonlySet<string>
}

/**
 * Draws a piece in steps: one `.md` for each block, the `li` of an item, the `thead` of a header, the `tr` of rows. A piece that
 * is too large is drawn as its source.
 */
export function* drawFragment(
  source: FragmentSource,
  options: FragmentOptions,
  goesOn = false,
): Steps<DrawnFragment> {
  const labels = new Set<string>()
  if (source.text.length > 20_000 && weigh(loadOf(source.text)) === 'over')
    return { fragment: sourceOf(source.text), labels, formulas: [], codes: [] }
  const tokens = tokensOf(source, options.grammar, goesOn)
  if (source.kind !== 'block') return yield* drawn(source.kind, tokens, options, labels)
  const all = document.createDocumentFragment()
  const formulas: Decorated['formulas'][number][] = []
  const codes: HTMLElement[] = []
  for (const { from, to, type } of topsOf(tokens)) {
    if (type === 'reference_definition') continue
    const own = tokens.slice(from, to)
    const block = document.createElement('div')
    block.className = isTight(own) ? 'md md-tight' : 'md'
    const one = yield* drawn('block', own, options, labels)
    block.append(one.fragment)
    formulas.push(...one.formulas)
    codes.push(...one.codes)
    all.append(block)
  }
  return { fragment: all, labels, formulas, codes }
}

function* drawn(
  kind: FragmentSource['kind'],
  tokens: readonly Token[],
  options: FragmentOptions,
  labels: Set<string>,
): Steps<DrawnFragment> {
  const { grammar, references, clean } = options
  const onLabel = (label: string): void => void labels.add(label)
  const { html, formulas } = yield* htmlOf(tokens, { grammar, references, onLabel })
  // The browser's parser drops parts of lists and tables without their container.
  const part = kind === 'rows' ? 'tbody' : kind === 'head' ? 'thead' : null
  const cleaned = yield* clean(part ? `<table><${part}>${html}</${part}></table>` : html)
  const fragment = part ? partOf(cleaned, part) : cleaned
  return { fragment, labels, ...decorate(fragment, formulas, options) }
}

/** The rows of a table's body, or its complete header. */
function partOf(cleaned: DocumentFragment, part: 'tbody' | 'thead'): DocumentFragment {
  const fragment = cleaned.ownerDocument.createDocumentFragment()
  const found = cleaned.querySelector(part)
  fragment.append(...(part === 'thead' && found ? [found] : (found?.childNodes ?? [])))
  return fragment
}

function sourceOf(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const block = document.createElement('div')
  block.className = 'md md-source'
  block.textContent = text
  fragment.append(block)
  return fragment
}

/** Number of lines above which code can be collapsed. */
const longLines = 24

const lineCount = (code: Element): number => code.textContent.split('\n').length

/** Options for decorating a sanitized piece. */
interface DecorateOptions {
  /** URL prefix of the app's own media; empty while unknown: then no image is loaded. */
  readonly mediaBase: string
  readonly words: AnswerLabels
  /** Numbers of the sources, each with its page or time: marks with other numbers are not buttons. */
  readonly sources: ReadonlyMap<number, string>
  /** Whether times in brackets are those of a meeting, and become buttons. */
  readonly times?: boolean
}

/** Parts of a piece that are drawn later. */
export interface Decorated {
  readonly formulas: readonly FormulaSlot[]
  readonly codes: readonly HTMLElement[]
}

/** Decorates sanitized HTML for an answer: chips, inert links, our own images, frames around code, formula placeholders. */
function decorate(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  options: DecorateOptions,
): Decorated {
  putImages(fragment, formulas, options)
  tameLinks(fragment)
  tameSpans(fragment)
  const slots = placeFormulas(fragment, formulas)
  putChips(fragment, options)
  if (options.times) putTimes(fragment, options)
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
function putChips(fragment: DocumentFragment, options: DecorateOptions): void {
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

/** Replaces each time with a button, except in code. */
function putTimes(fragment: DocumentFragment, options: DecorateOptions): void {
  const root = fragment.ownerDocument
  const walker = root.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode())
    if (walker.currentNode instanceof Text && /[\]】]/.test(walker.currentNode.data))
      texts.push(walker.currentNode)
  for (const text of texts)
    if (!text.parentElement?.closest('code, pre, samp, kbd, a, button'))
      text.replaceWith(...timeChips(root, text.data, options))
}

/** Shows our own images; an external one becomes a link with its address. */
function putImages(
  fragment: DocumentFragment,
  formulas: readonly Formula[],
  { mediaBase, words }: DecorateOptions,
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
