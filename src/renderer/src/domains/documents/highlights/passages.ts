import { joinTexts } from '../../../../../shared/text/join.ts'
import type { Block, Box } from '../../../../../shared/model/document.ts'
import type { NewHighlight } from '../../../../../shared/model/highlight.ts'
import { selectedWords } from '../copy/selection-clip.ts'
import type { Turn } from '../pages/page-source.ts'
import { plainPoint } from '../pages/rotated-box.ts'

/** Part of a selection on one page. */
export type Passage = Pick<NewHighlight, 'page' | 'boxes' | 'quote'>

/** Returns the selected text of the pages’ own text layers, page by page. */
export function pagePassages(selected: Range, side: Element, turn: Turn): readonly Passage[] {
  return [...side.querySelectorAll<HTMLElement>('[data-page]')].flatMap((sheet) => {
    const layer = sheet.querySelector('.layer')
    if (!layer || !selected.intersectsNode(layer)) return []
    const quote = joinLines(selectedLines(selected, layer))
    const boxes = boxesOf(selected, layer, sheet, turn)
    return quote === '' || boxes.length === 0
      ? []
      : [{ page: Number(sheet.dataset['page']), boxes, quote }]
  })
}

/**
 * Returns the selected words of the blocks next to the pages, page by page. Their boxes are those of their lines where the page
 * is drawn with its text, and those of the blocks otherwise; a block without one cannot be marked.
 */
export function blockPassages(
  selected: Range,
  pane: Element,
  blockOf: (id: string, page: number) => Block | null,
  linesOf: (block: Block, words: string) => readonly Box[],
): readonly Passage[] {
  const rows = [...pane.querySelectorAll<HTMLElement>('[data-b]')]
  const parts = rows.flatMap((row) => {
    const page = Number(row.dataset['page'])
    const block = selected.intersectsNode(row) ? blockOf(row.dataset['b'] ?? '', page) : null
    const quote = block ? selectedWords(selected, row) : ''
    return block && quote !== '' ? [{ page, quote, boxes: linesOf(block, quote) }] : []
  })
  return Array.from(
    Map.groupBy(parts, ({ page }) => page),
    ([page, onPage]) => ({
      page,
      quote: joinTexts(onPage.map(({ quote }) => quote)),
      boxes: onPage.flatMap(({ boxes }) => boxes),
    }),
  ).filter(({ boxes }) => boxes.length > 0)
}

/** Returns the lines of a block’s words in the text layer of its page; the box of the block where they are not found. */
export function linesInLayer(
  sheet: HTMLElement | null,
  turn: Turn,
  { box }: Block,
  words: string,
): readonly Box[] {
  if (!box) return []
  const layer = sheet?.querySelector('.layer')
  if (!sheet || !layer) return [box]
  const page = sheet.getBoundingClientRect()
  const inBlock = (node: Text): boolean => {
    const rect = node.parentElement?.getBoundingClientRect()
    if (!rect) return false
    const [left, top, right, bottom] = boxOn(page, rect, turn)
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]
  }
  const found = findWords(layer, words, inBlock)
  const boxes = found ? boxesOf(found, layer, sheet, turn) : []
  return boxes.length > 0 ? boxes : [box]
}

/** Signs that differ between a page and its parsed text: spaces, and hyphens at line ends. */
const loose = /[\s\u00ad-]/

/** Part of a text. */
type Span = readonly [start: number, end: number]

const whole = (text: string, wanted: string): Span | null => {
  const at = text.indexOf(wanted)
  return at === -1 ? null : [at, at + wanted.length]
}

/** Finds words in the text nodes of an element, whatever their spaces, line ends and hyphens. */
export function findWords(
  root: Node,
  words: string,
  accepts: (node: Text) => boolean = () => true,
  find: (text: string, wanted: string) => Span | null = whole,
): Range | null {
  const wanted = [...words].filter((sign) => !loose.test(sign)).join('')
  if (wanted === '') return null
  const places: { readonly node: Text; readonly offset: number }[] = []
  let text = ''
  for (const node of textNodes(root)) {
    if (!accepts(node)) continue
    for (let offset = 0; offset < node.length; offset += 1) {
      const sign = node.data.charAt(offset)
      if (loose.test(sign)) continue
      text += sign
      places.push({ node, offset })
    }
  }
  const found = find(text, wanted)
  const [start, end] = found ? [places[found[0]], places[found[1] - 1]] : []
  if (!start || !end) return null
  const range = document.createRange()
  range.setStart(start.node, start.offset)
  range.setEnd(end.node, end.offset + 1)
  return range
}

/** Minimum number of characters that the end of a block and the beginning of a quote, or the reverse, have in common. */
const minShared = 3

/**
 * Finds the part of a quote that is in the text of a block: all of it, of several the one nearest to a position (0 to 1), or
 * its beginning, middle or end, where it covers several blocks.
 */
export function quotePart(text: string, quote: string, position: number): Span | null {
  let nearest = -1
  const distance = (at: number): number => Math.abs(at - position * text.length)
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1))
    if (nearest === -1 || distance(at) < distance(nearest)) nearest = at
  if (nearest !== -1) return [nearest, nearest + quote.length]
  if (text === '') return null
  if (quote.includes(text)) return [0, text.length]
  for (let shared = Math.min(text.length, quote.length) - 1; shared >= minShared; shared -= 1) {
    if (text.endsWith(quote.slice(0, shared))) return [text.length - shared, text.length]
    if (text.startsWith(quote.slice(-shared))) return [0, shared]
  }
  return null
}

/** Whether a box of a highlight is in a block; both sides of a comparison may be slightly off. */
const isInside = ([left, top, right, bottom]: Box, block: Box): boolean =>
  left < block[2] &&
  right > block[0] &&
  (top + bottom) / 2 > block[1] - 0.005 &&
  (top + bottom) / 2 < block[3] + 0.005

/** Returns about where in a block’s text (0 to 1) a highlight begins; null where it does not reach into the block. */
export function positionIn(block: Box, boxes: readonly Box[]): number | null {
  const first = boxes.find((box) => isInside(box, block))
  if (!first) return null
  const [width, height] = [block[2] - block[0], block[3] - block[1]]
  const line = (first[3] - first[1]) / height
  const position = (first[1] - block[1]) / height + ((first[0] - block[0]) / width) * line
  return Math.min(1, Math.max(0, position))
}

function* textNodes(root: Node): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (node instanceof Text) yield node
}

/** Yields the selected part of each text node; null for a line break. */
function* selectedParts(selected: Range, layer: Element): Generator<Range | null> {
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!selected.intersectsNode(node)) continue
    if (node.nodeName === 'BR') yield null
    if (!(node instanceof Text)) continue
    const part = document.createRange()
    part.setStart(node, node === selected.startContainer ? selected.startOffset : 0)
    part.setEnd(node, node === selected.endContainer ? selected.endOffset : node.length)
    if (!part.collapsed) yield part
  }
}

function selectedLines(selected: Range, layer: Element): readonly string[] {
  const lines = ['']
  for (const part of selectedParts(selected, layer))
    if (part) lines.push((lines.pop() ?? '') + String(part))
    else lines.push('')
  return lines.map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

/** Joins lines as a sentence is read: a word that is divided at the end of a line becomes whole. */
export function joinLines(lines: readonly string[]): string {
  let joined = ''
  for (const line of lines)
    joined =
      /\p{Ll}-$/u.test(joined) && /^\p{Ll}/u.test(line)
        ? joined.slice(0, -1) + line
        : joinTexts([joined, line])
  return joined
}

function boxesOf(selected: Range, layer: Element, sheet: Element, turn: Turn): readonly Box[] {
  const page = sheet.getBoundingClientRect()
  const boxes: Box[] = []
  for (const part of selectedParts(selected, layer))
    for (const rect of part?.getClientRects() ?? [])
      if (rect.width > 0 && rect.height > 0) boxes.push(boxOn(page, rect, turn))
  const shape = turn % 180 === 0 ? page.width / page.height : page.height / page.width
  return mergeLines(boxes, shape)
}

type Edges = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom' | 'width' | 'height'>

/** Returns a rectangle of the screen as fractions of the page as it is in the document. */
function boxOn(page: Edges, rect: Edges, turn: Turn): Box {
  const x = (value: number): number => (value - page.left) / page.width
  const y = (value: number): number => (value - page.top) / page.height
  const a = plainPoint(x(rect.left), y(rect.top), turn)
  const b = plainPoint(x(rect.right), y(rect.bottom), turn)
  return [
    fraction(Math.min(a[0], b[0])),
    fraction(Math.min(a[1], b[1])),
    fraction(Math.max(a[0], b[0])),
    fraction(Math.max(a[1], b[1])),
  ]
}

/** Within the page; a hundred-thousandth of it is less than a pixel. */
const fraction = (value: number): number =>
  Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 100_000

/** What is outside of the visible part of the page has no area within it. */
const hasArea = ([left, top, right, bottom]: Box): boolean => left < right && top < bottom

/** Limits of one request (`highlights.add`). */
const limits = { parts: 50, boxes: 1000, chars: 50_000 }

/** Returns what to save of a selection, in requests. The quote of a part is truncated; all of it is marked. */
export function highlightRequests(passages: readonly Passage[]): readonly (readonly Passage[])[] {
  const parts = passages.flatMap(({ page, boxes, quote }) =>
    piecesOf(boxes.filter(hasArea), limits.boxes).map((piece, at) => ({
      page,
      boxes: piece,
      quote: at === 0 ? beginningOf(quote) : '',
    })),
  )
  return piecesOf(parts, limits.parts)
}

/** A character of two units is not divided. */
const beginningOf = (quote: string): string =>
  quote.slice(0, limits.chars).replace(/\p{Surrogate}$/u, '')

const piecesOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** Merges adjacent visible boxes of the same line; `shape` is the width of the page divided by its height. */
export function mergeLines(boxes: readonly Box[], shape: number): readonly Box[] {
  const lines: Box[] = []
  for (const box of boxes.filter(hasArea)) {
    const last = lines.at(-1)
    if (last && isSameLine(last, box, shape))
      lines[lines.length - 1] = [
        Math.min(last[0], box[0]),
        Math.min(last[1], box[1]),
        Math.max(last[2], box[2]),
        Math.max(last[3], box[3]),
      ]
    else lines.push(box)
  }
  return lines
}

/** Columns of a table are further apart than words. */
function isSameLine(a: Box, b: Box, shape: number): boolean {
  const height = Math.min(a[3] - a[1], b[3] - b[1])
  const overlap = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  const gap = Math.max(b[0] - a[2], a[0] - b[2]) * shape
  return overlap > height / 2 && gap < height * 2
}
