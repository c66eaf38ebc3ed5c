import createMarkdown, { type MarkdownIt } from 'markdown-it'
import type { BlockKind } from '../../../shared/model/document.ts'
import { createCleaner, type Cleaner } from './clean.ts'
import type { FormulaTrouble } from './formula.ts'
import { limits } from './limits.ts'
import { tameLinks } from './links.ts'
import { cutMath, formulaTex, type CutText } from './math-spans.ts'
import { pictureAddress, pictureBox, type PictureSource } from './pictures.ts'
import { drawSlot, placeFormulas, withSources, type FormulaSlot } from './put-formulas.ts'
import { loadOf, weigh, type Weight } from './weigh.ts'

/** What a drawn block says of itself, in the reader's language. */
export interface DrawWords {
  readonly pictureAway: string
  readonly formula: Readonly<Record<FormulaTrouble, string>>
}

/** Where pictures are, and with which words boxes are filled. */
export interface DrawOptions {
  /** Prefix of the app's own media; empty when it is not known yet: then no picture is loaded. */
  readonly mediaBase: string
  readonly picture: PictureSource
  readonly words: DrawWords
}

/** A block as it is put into the page, or why its source is shown in its place. */
export type DrawnBlock =
  | {
      readonly state: 'drawn'
      readonly element: HTMLElement
      /** Draws formulas that are left, a few, and while `goOn` says so; true when all are drawn. */
      readonly drawMore: (goOn: () => boolean) => boolean
    }
  | { readonly state: 'source'; readonly why: Exclude<Weight, 'light'> }

/** Draws blocks; the one place that makes elements of what came from outside. */
export interface BlockDrawer {
  /** `anyway`: the reader asked for a block that takes its time. Nothing is loaded or run by the result. */
  draw(block: { readonly kind: BlockKind; readonly content: string }, anyway?: boolean): DrawnBlock
}

/** Formulas that are drawn before the page has a frame again. */
const inOneGo = 20

/** Builds a drawer for one page: Markdown and HTML without formulas, then cleaned, then pictures, links and formulas. */
export function createBlockDrawer(options: DrawOptions): BlockDrawer {
  const markdown = new createMarkdown({
    html: true,
    linkify: false,
    typographer: false,
    maxNesting: 60,
  })
  const clean = createCleaner(window)
  return {
    draw(block, anyway = false) {
      const weight = block.kind === 'formula' ? 'light' : weigh(loadOf(block.content))
      if (weight === 'over' || (weight === 'heavy' && !anyway))
        return { state: 'source', why: weight }
      const cut = cutBlock(block)
      if (cut.formulas.length > limits.formulas) return { state: 'source', why: 'over' }
      const { fragment, slots } = build(cut, markdown, clean, options)
      const element = document.createElement('div')
      element.className = `md md-${block.kind}`
      element.append(fragment)
      const small = slots.length > limits.smallFormulas
      let next = 0
      const drawMore = (goOn: () => boolean): boolean => {
        const until = Math.min(slots.length, next + inOneGo)
        for (; next < until && goOn(); next += 1) {
          const slot = slots[next]
          if (slot) drawSlot(slot, options.words.formula, small)
        }
        return next >= slots.length
      }
      return { state: 'drawn', element, drawMore }
    },
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

/** Placeholders of pictures (`![](page=0,bbox=[1, 2, 3, 4])`) in a form that Markdown takes for a picture. */
const spelledOut = (text: string): string =>
  text.replaceAll(
    /!\[([^\]\n]{0,500})\]\(\s*(page=\d{1,6},\s*bbox=\[[-\d.,\s]{1,200}\])\s*\)/g,
    (_, alt: string, address: string) => `![${alt}](<${address.replaceAll(/\s/g, '')}>)`,
  )

function build(
  cut: CutText,
  markdown: MarkdownIt,
  clean: Cleaner,
  options: DrawOptions,
): { readonly fragment: DocumentFragment; readonly slots: readonly FormulaSlot[] } {
  const fragment = clean(markdown.render(cut.text))
  putPictures(fragment, cut, options)
  tameLinks(fragment)
  wrapTables(fragment)
  const slots = placeFormulas(fragment, cut.formulas)
  return { fragment, slots }
}

function putPictures(fragment: DocumentFragment, cut: CutText, options: DrawOptions): void {
  for (const picture of fragment.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    const alt = withSources(picture.alt, cut.formulas)
    const url = pictureAddress(decodedAddress(address), options.mediaBase, options.picture)
    if (url === null) {
      const box = pictureBox(
        fragment.ownerDocument,
        { alt, address: decodedAddress(address) },
        {
          away: options.words.pictureAway,
        },
      )
      picture.replaceWith(box)
      continue
    }
    const own = fragment.ownerDocument.createElement('img')
    own.alt = alt
    own.loading = 'lazy'
    own.decoding = 'async'
    own.src = url
    picture.replaceWith(own)
  }
}

/** An address before Markdown wrote it for HTML, so that placeholders are found again. */
function decodedAddress(address: string): string {
  try {
    return address.startsWith('page=') ? decodeURIComponent(address) : address
  } catch {
    return address
  }
}

/** A wide table scrolls in its own box; a table in a table does not again. */
function wrapTables(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    if (table.parentElement?.closest('table')) continue
    const box = fragment.ownerDocument.createElement('div')
    box.className = 'md-table'
    table.replaceWith(box)
    box.append(table)
  }
}
