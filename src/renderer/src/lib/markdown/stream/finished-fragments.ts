import { drawFormula } from '../formula.ts'
import { limits } from '../limits.ts'
import { tameLinks } from '../links.ts'
import { imageAddress } from '../images.ts'
import { placeFormulas, withSources } from '../insert-formulas.ts'
import { tameSpans } from '../spans.ts'
import type { AnswerKit } from './stream-context.ts'
import { definitions } from './grammar.ts'
import { htmlOf, languageOf } from './html.ts'
import { citeSigns, createIntake } from './marks.ts'

/** Options for rendering a finished answer. */
interface FinishedOptions {
  readonly kit: AnswerKit
  /** URL prefix of the app's own media; if empty, images are replaced by their alt text. */
  readonly mediaBase: string
  /** `real` keeps URLs for other programs; `tame` makes the page's inert links, which need confirmation. */
  readonly links: 'real' | 'tame'
  /** `mathml` alone is what other programs understand; `drawn` is for pages with KaTeX's style sheet. */
  readonly formulas: 'drawn' | 'mathml'
}

/**
 * Renders a finished Markdown text as sanitized elements without styles, for copies, prints and files: formulas drawn, marks as
 * `[n]`, code as text. Not in steps.
 */
export function finishedAnswer(text: string, options: FinishedOptions): DocumentFragment {
  const { grammar, clean } = options.kit
  const intake = createIntake()
  const known = definitions()
  const tokens = grammar.blocks(intake.take(text) + intake.end(), known)
  const made = atOnce(htmlOf(tokens, { grammar, references: known, onLabel: () => undefined }))
  const fragment = atOnce(clean(made.html))
  for (const image of fragment.querySelectorAll('img')) {
    const address = image.getAttribute('src') ?? ''
    const alt = withSources(image.alt, made.formulas).replaceAll(citeSigns, '')
    const own = imageAddress(address, options.mediaBase, (one) => one)
    image.alt = alt
    if (own === null) image.replaceWith(alt === '' ? address : alt)
    else image.src = own
  }
  tameLinks(fragment)
  tameSpans(fragment)
  if (options.links === 'real') setFree(fragment)
  for (const { formula, element } of placeFormulas(fragment, made.formulas)) {
    const drawn =
      made.formulas.length > limits.formulas
        ? null
        : drawFormula(formula.tex, formula.display, options.formulas === 'mathml')
    if (drawn?.ok) element.replaceChildren(...drawn.element.childNodes)
  }
  for (const pre of fragment.querySelectorAll('pre[lang]')) {
    const language = languageOf(pre.getAttribute('lang') ?? '')
    pre.removeAttribute('lang')
    if (language !== '') pre.firstElementChild?.classList.add(`language-${language}`)
  }
  numberMarks(fragment)
  return fragment
}

/** Restores the URLs of links that {@link tameLinks} processed. */
function setFree(fragment: DocumentFragment): void {
  for (const link of fragment.querySelectorAll('a')) {
    const url = link.dataset['url']
    for (const name of link.getAttributeNames()) link.removeAttribute(name)
    if (url !== undefined) link.setAttribute('href', url)
  }
}

function numberMarks(fragment: DocumentFragment): void {
  const walker = fragment.ownerDocument.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    if (!(node instanceof Text) || !node.data.includes('\u{FDD2}')) continue
    const inCode = node.parentElement?.closest('code, pre, samp, kbd')
    node.data = node.data.replaceAll(citeSigns, (_, number: string) =>
      inCode ? '' : `[${number}]`,
    )
  }
}

function atOnce<Result>(steps: Generator<number, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
