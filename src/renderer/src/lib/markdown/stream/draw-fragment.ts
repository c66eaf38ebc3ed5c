import type { Token } from 'markdown-it'
import type { SteppingCleaner } from '../clean.ts'
import type { Steps } from '../render-queue.ts'
import { loadOf, weigh } from '../render-cost.ts'
import { dress, type DressOptions, type Dressed } from './decorate-fragment.ts'
import type { Grammar, References } from './grammar.ts'
import { htmlOf } from './html.ts'
import { isTight, tokensOf, type FragmentSource } from './fragment-tokens.ts'
import { topsOf } from './top-level-blocks.ts'

/** Options for drawing pieces. */
export interface FragmentOptions extends DressOptions {
  readonly grammar: Grammar
  readonly clean: SteppingCleaner
  readonly references: References
}

/** A piece ready for insertion into the page. */
export interface DrawnFragment extends Dressed {
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
  const formulas: Dressed['formulas'][number][] = []
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
  return { fragment, labels, ...dress(fragment, formulas, options) }
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
