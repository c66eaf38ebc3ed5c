import type { BlockKind } from '../../../shared/model/document.ts'
import { createSteppingCleaner } from './clean.ts'
import type { FormulaProblem } from './formula.ts'
import { inSteps, type Put, type StepByStep } from './stepwise.ts'
import { limits } from './limits.ts'
import { tameLinks } from './links.ts'
import { cutMath, formulaTex, type CutText } from './math-spans.ts'
import { putImages, type ImageSource } from './images.ts'
import { drawSlot, placeFormulas } from './insert-formulas.ts'
import { createMarkdownRenderer } from './render-steps.ts'
import { tameSpans } from './spans.ts'
import type { Steps } from './render-queue.ts'
import { loadOf, weigh, type Weight } from './render-cost.ts'

/** Translated text in a drawn block. */
export interface DrawMessages {
  readonly imageAway: string
  /** Label of the button that loads an image from its host; absent if images cannot be requested. */
  readonly loadImage?: ((host: string) => string) | undefined
  readonly formula: Readonly<Record<FormulaProblem, string>>
}

/** Options for drawing: image sources, and labels of image boxes. */
export interface DrawOptions {
  /** URL prefix of the app's own media; empty while unknown: then no image is loaded. */
  readonly mediaBase: string
  readonly imageSource: ImageSource
  readonly words: DrawMessages
  /** Number of elements sanitized in one step, if not the default. */
  readonly elementsOfStep?: number
}

/** A block ready for insertion into the page, or the reason why its source is shown instead. */
export type DrawnBlock =
  | ({
      readonly state: 'drawn'
      /** Empty at first. */
      readonly element: HTMLElement
    } & StepByStep)
  | { readonly state: 'source'; readonly why: Exclude<Weight, 'light'> }

/** Draws blocks; the only place that creates elements from external content. */
export interface BlockDrawer {
  /** `anyway`: the user requested an expensive block. The result loads and runs nothing. */
  draw(block: { readonly kind: BlockKind; readonly content: string }, anyway?: boolean): DrawnBlock
}

/** Creates a drawer for one page: Markdown and HTML without formulas, then sanitizing, then images, links and formulas. */
export function createBlockDrawer(options: DrawOptions): BlockDrawer {
  const render = createMarkdownRenderer()
  const clean = createSteppingCleaner(window, options.elementsOfStep)
  return {
    draw(block, anyway = false) {
      const weight = block.kind === 'formula' ? 'light' : weigh(loadOf(block.content))
      if (weight === 'over' || (weight === 'heavy' && !anyway))
        return { state: 'source', why: weight }
      const cut = cutBlock(block)
      if (cut.formulas.length > limits.formulas) return { state: 'source', why: 'over' }
      const element = document.createElement('div')
      element.className = `md md-${block.kind}`
      return { state: 'drawn', element, ...inSteps((put) => build(cut, element, put)) }
    },
  }

  function* build(cut: CutText, element: HTMLElement, put: Put): Steps {
    const fragment = yield* clean(yield* render(cut.text))
    const { imageAway: away, loadImage: load } = options.words
    putImages(fragment, cut.formulas, { ...options, away, load })
    tameLinks(fragment)
    tameSpans(fragment)
    wrapTables(fragment)
    const slots = placeFormulas(fragment, cut.formulas)
    yield* put([...fragment.childNodes], element)
    const small = slots.length > limits.smallFormulas
    for (const slot of slots) {
      const nodes = drawSlot(slot, options.words.formula, small)
      if (nodes) yield* put(nodes, slot.element)
    }
  }
}

function cutBlock({
  kind,
  content,
}: {
  readonly kind: BlockKind
  readonly content: string
}): CutText {
  if (kind !== 'formula') return cutMath(spelledOut(content))
  const tex = formulaTex(content)
  return {
    text: '\u{FDD0}0\u{FDD1}',
    formulas: [{ tex, display: true, source: content.trim() }],
  }
}

/** Rewrites image placeholders (`![](page=0,bbox=[1, 2, 3, 4])`) to a form that Markdown parses as an image. */
const spelledOut = (text: string): string =>
  text.replaceAll(
    /!\[([^\]\n]{0,500})\]\(\s*(page=\d{1,6},\s*bbox=\[[-\d.,\s]{1,200}\])\s*\)/g,
    (_, alt: string, address: string) => `![${alt}](<${address.replaceAll(/\s/g, '')}>)`,
  )

/** Wraps wide tables in scroll boxes; a table inside a table is not wrapped. */
function wrapTables(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue
    const box = fragment.ownerDocument.createElement('div')
    box.className = 'md-table'
    table.replaceWith(box)
    box.append(table)
  }
}
