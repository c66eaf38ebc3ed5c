import createMarkdown from 'markdown-it'
import type { Cell } from '../../../../shared/documents/table-grid.ts'
import { createCleaner } from './clean.ts'
import { limits } from './limits.ts'
import { cutMath } from './math-spans.ts'
import { placeFormulas } from './insert-formulas.ts'

/** A table for copying: its cells row by row, and as portable HTML. */
interface PlainTable {
  readonly rows: readonly (readonly Cell[])[]
  readonly html: string
}

/** Plain content of a block: its text, and its tables. */
export interface PlainBlock {
  readonly text: string
  readonly tables: readonly PlainTable[]
}

const lineEnds = new Set([
  'BR',
  'P',
  'DIV',
  'LI',
  'TR',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'BLOCKQUOTE',
  'PRE',
  'TABLE',
  'CAPTION',
  'DT',
  'DD',
  'HR',
])

/** Plain text of an element: lines at its breaks, tabs between cells. */
export function wordsOf(node: Node): string {
  const parts: string[] = []
  const walk = (one: Node): void => {
    if (one instanceof Text) parts.push(one.data.replaceAll(/\s+/g, ' '))
    else if (one instanceof HTMLImageElement) parts.push(one.alt)
    for (const child of one.childNodes) walk(child)
    if (!(one instanceof Element)) return
    if (one.nodeName === 'TD' || one.nodeName === 'TH')
      parts.push(one.nextElementSibling ? '\t' : '')
    else if (lineEnds.has(one.nodeName)) parts.push('\n')
  }
  walk(node)
  return parts
    .join('')
    .replaceAll(/ *([\n\t]) */g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

const own = (table: HTMLTableElement, element: Element): boolean =>
  element.closest('table') === table

function cellsOf(table: HTMLTableElement): Cell[][] {
  return [...table.querySelectorAll('tr')]
    .filter((row) => own(table, row))
    .map((row) =>
      [...row.querySelectorAll<HTMLTableCellElement>('td, th')]
        .filter((cell) => own(table, cell) && cell.closest('tr') === row)
        .map((cell) => ({
          text: wordsOf(cell),
          colspan: Number.parseInt(cell.getAttribute('colspan') ?? '1', 10) || 1,
          rowspan: spanOf(cell.getAttribute('rowspan')),
          header: cell.nodeName === 'TH',
        })),
    )
}

/** Parses a span; 0 extends to the end of the table, invalid values are 1. */
const spanOf = (value: string | null): number => {
  const span = Number.parseInt(value ?? '1', 10)
  return Number.isInteger(span) && span >= 0 ? span : 1
}

/**
 * Extracts a block's content for copying: sanitized like the displayed block, formulas as their source, images as their alt text.
 * Null for a text that is too large.
 */
export function plainBlock(content: string): PlainBlock | null {
  if (content.length > limits.chars) return null
  const markdown = createMarkdown({ html: true, linkify: false, maxNesting: 60 })
  const { text, formulas } = cutMath(content)
  const fragment = createCleaner(window)(markdown.render(text))
  placeFormulas(fragment, formulas)
  for (const image of fragment.querySelectorAll('img')) image.replaceWith(image.alt)
  for (const element of fragment.querySelectorAll('span'))
    element.replaceWith(...element.childNodes)
  for (const link of fragment.querySelectorAll('a')) link.replaceWith(...link.childNodes)
  fragment.normalize()
  const tables = [...fragment.querySelectorAll('table')]
    .filter((table) => !table.parentElement?.closest('table'))
    .map((table) => ({ rows: cellsOf(table), html: bordered(table) }))
  return { text: wordsOf(fragment), tables }
}

/** Start of a cell that a spreadsheet would evaluate. */
const formula = /^\s*[=+\-@]/

/** A table with visible borders where it is pasted; cells that a spreadsheet would evaluate are marked as text. */
function bordered(table: HTMLTableElement): string {
  const copy = table.cloneNode(true)
  if (!(copy instanceof HTMLTableElement)) return ''
  copy.setAttribute('border', '1')
  for (const cell of copy.querySelectorAll('td, th')) {
    const text = cell.textContent
    if (!formula.test(text) || /^\s*[+-]?[\d.,]+\s*$/.test(text)) continue
    const style = cell.getAttribute('style')
    cell.setAttribute('style', `${style === null ? '' : `${style};`}mso-number-format:"\\@"`)
  }
  return copy.outerHTML
}

/** Attributes that are meaningful wherever a text is pasted. */
const allowedAttributes: ReadonlySet<string> = new Set(['colspan', 'rowspan', 'start'])

/** Drawn content as portable HTML: without the page's styles; formulas (MathML) stay unchanged. */
export function plainHtml(part: DocumentFragment): string {
  for (const element of part.querySelectorAll('div, span, a')) {
    if (!element.closest('math')) element.replaceWith(...element.childNodes)
  }
  for (const element of part.querySelectorAll('*')) {
    if (element.closest('math')) continue
    for (const { name } of Array.from(element.attributes))
      if (!allowedAttributes.has(name)) element.removeAttribute(name)
    if (element.nodeName === 'TABLE') element.setAttribute('border', '1')
  }
  const holder = part.ownerDocument.createElement('div')
  holder.append(part)
  return holder.innerHTML.trim()
}
