import createMarkdown, { type Env, type MarkdownIt, type Token } from 'markdown-it'
import type { BlockKind } from '../../../../shared/model/document.ts'
import { createSteppingCleaner } from './clean.ts'
import type { FormulaProblem } from './formula.ts'
import { putImages, type ImageSource } from './images.ts'
import { drawSlot, placeFormulas } from './insert-formulas.ts'
import { limits } from './limits.ts'
import { tameLinks } from './links.ts'
import { cutMath, formulaTex, type CutText } from './math-spans.ts'
import { loadOf, weigh, type Weight } from './render-cost.ts'
import { batchesOf, type NodeBatch, type Steps, elementsOfStep } from './render-steps.ts'
import { tameSpans } from './spans.ts'

/** Translated text in a drawn block. */
interface DrawMessages {
  readonly imageAway: string
  /** Label of the button that loads an image from its host; absent if images cannot be requested. */
  readonly loadImage?: ((host: string) => string) | undefined
  readonly formula: Readonly<Record<FormulaProblem, string>>
}

/** Options for drawing: image sources, and labels of image boxes. */
interface DrawOptions {
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

/** Characters of a text that are converted to HTML in one step. */
const lettersOfStep = 4000

/** Converts Markdown to unsanitized HTML in steps. */
type MarkdownRenderer = (text: string) => Steps<string>

/** Creates a renderer; its result is the same as without steps. */
function createMarkdownRenderer(): MarkdownRenderer {
  const blocks = markdownWith(['normalize', 'block', 'strip_references'])
  const lines = markdownWith(['inline', 'text_join'])
  return function* render(text) {
    const env: Env = {}
    const tokens = blocks.parse(text, env)
    yield 0
    const parts: string[] = []
    let letters = 0
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'inline') parseLine(lines, token, env)
      parts.push(htmlOf(lines, tokens, at, env))
      letters += token.content.length + 20
      if (letters < lettersOfStep) continue
      letters = 0
      yield 0
    }
    return parts.join('')
  }
}

function markdownWith(rules: string[]): MarkdownIt {
  const markdown = new createMarkdown({
    html: true,
    linkify: false,
    typographer: false,
    maxNesting: 60,
  })
  markdown.core.ruler.enableOnly(rules)
  return markdown
}

function parseLine(markdown: MarkdownIt, token: Token, env: Env): void {
  const state = new markdown.core.State('', markdown, env)
  state.tokens = [token]
  markdown.core.process(state)
}

function htmlOf(markdown: MarkdownIt, tokens: Token[], at: number, env: Env): string {
  const { renderer, options } = markdown
  const token = tokens[at]
  if (!token) return ''
  if (token.type === 'inline') return renderer.renderInline(token.children ?? [], options, env)
  const rule = renderer.rules[token.type]
  return rule ? rule(tokens, at, options, env, renderer) : renderer.renderToken(tokens, at, options)
}

/** Inserts nodes into the page, one part in each step. */
type Put = (nodes: readonly Node[], into: Node & ParentNode) => Steps

/** Content that is inserted into the page in steps. */
interface StepByStep {
  /**
   * Continues while `shouldContinue`, which gets the number of elements inserted since the call, returns true; returns true when all is
   * inserted. A step takes a few milliseconds, and the browser's layout of the inserted elements about as long.
   */
  readonly drawMore: (shouldContinue: (put: number) => boolean) => boolean
  /** Empties large content when it leaves the page: it is inserted again in steps later. */
  readonly takeOut: () => void
}

/** Prepares the work of `build`; nothing is done yet. */
function inSteps(build: (put: Put) => Steps): StepByStep {
  const batches: NodeBatch[] = []
  let elements = 0
  const rest = build(function* put(nodes, into) {
    for (const batch of batchesOf(nodes, into)) {
      batches.push(batch)
      elements += batch.elements
      batch.into.append(...batch.nodes)
      yield batch.elements
    }
  })
  let steps = rest
  return {
    drawMore(shouldContinue) {
      let put = 0
      while (shouldContinue(put)) {
        const { done, value } = steps.next()
        if (done === true) return true
        put += value
      }
      return false
    },
    takeOut() {
      if (elements <= elementsOfStep) return
      for (const { nodes } of batches)
        for (const node of nodes) if (node.parentNode) node.parentNode.removeChild(node)
      steps = again([...batches], rest)
    },
  }
}

/** Inserts the earlier parts again, and then the rest. */
function* again(batches: readonly NodeBatch[], rest: Steps): Steps {
  for (const { into, nodes, elements } of batches) {
    into.append(...nodes)
    yield elements
  }
  yield* rest
}
