import { DomUtils, parseDocument } from 'htmlparser2'
import { cellText, markdownText, tableOf, type TableCell, type TextBlock } from './blocks.ts'
import { listNumber } from './docx-lists.ts'

type Parent = Pick<ReturnType<typeof parseDocument>, 'children'>
type Child = Parent['children'][number]
type Element = Extract<Child, { readonly attribs: unknown }>

/** Type of the nodes that are text; comments have another one. */
const textNode = 3

const isElement = (node: Child): node is Element => 'attribs' in node

/** Elements whose content is not text of the document. */
const skipped = new Set(
  // The readings of a word, and the parentheses around them, would divide it.
  (
    'script style template noscript iframe object embed svg canvas audio video head select textarea ' +
    'rt rp rtc'
  ).split(' '),
)

const inlineTags = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data dfn del em font i img input ins kbd label mark q rb ruby s samp ' +
    'small span strike strong sub sup time tt u var wbr br button math'
  ).split(' '),
)

/** Attribute of a list item with its label, where that is not the number that HTML would show. */
export const listLabel = 'data-lectern-label'

/** Marks of Markdown around the content of elements. */
const marks: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  del: '~~',
  strike: '~~',
}

/** Maximum number of characters of a list in one block, and of rows and cells of a table. */
const listChars = 2_000
const tableRows = 60
const tableCells = 600

/**
 * Returns the blocks of an HTML text in reading order. Scripts, styles and URLs are not preserved, nor is anything loaded. In
 * XML, any empty element can close itself: `<title/>` would contain the rest of an HTML page.
 */
export function htmlBlocks(html: string, { xml = isXml(html) } = {}): readonly TextBlock[] {
  return blocksIn(parseDocument(html, { recognizeSelfClosing: xml, recognizeCDATA: xml }))
}

const isXml = (html: string): boolean =>
  /^\s*<\?xml\s/.test(html) ||
  /<html\s[^>]*xmlns=["']http:\/\/www\.w3\.org\/1999\/xhtml/i.test(html.slice(0, 4_000))

/** Returns the blocks below a node. */
function blocksIn(root: Parent): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let inline = ''
  let figures: readonly TextBlock[] = []
  const flush = (): void => {
    const content = tidy(inline)
    if (content !== '') blocks.push({ kind: 'text', content })
    blocks.push(...figures)
    inline = ''
    figures = []
  }
  const walk = (nodes: readonly Child[]): void => {
    for (const node of nodes) {
      if (!isElement(node)) {
        inline += textIn([node])
        continue
      }
      const tag = node.name.toLowerCase()
      if (isHidden(node)) continue
      if (inlineTags.has(tag) && !hasBlocks(node)) {
        inline += textIn([node])
        figures = [...figures, ...figuresIn([node])]
        continue
      }
      const heading = /^h([1-6])$/.exec(tag)?.[1]
      if (!inlineTags.has(tag)) flush()
      if (heading !== undefined) {
        const content = tidy(textIn(node.children)).replace(/\s+/g, ' ')
        if (content !== '')
          blocks.push({ kind: 'title', content: `${'#'.repeat(Number(heading))} ${content}` })
        blocks.push(...figuresIn(node.children))
      } else if (tag === 'table') blocks.push(...tableBlocks(node))
      else if (tag === 'ul' || tag === 'ol') blocks.push(...listBlocks(node))
      else if (tag === 'pre') blocks.push(...codeBlocks(node))
      else if (tag === 'blockquote') blocks.push(...blocksIn(node).map(quoted))
      else {
        walk(node.children)
        if (!inlineTags.has(tag)) flush()
      }
    }
  }
  walk(root.children)
  flush()
  return blocks
}

const isHidden = ({ name, attribs }: Element): boolean =>
  skipped.has(name.toLowerCase()) ||
  'hidden' in attribs ||
  /display\s*:\s*none/i.test(attribs['style'] ?? '')

/** Whether an inline element contains blocks, as a link around a heading does. */
const hasBlocks = (node: Element): boolean =>
  node.name.toLowerCase() !== 'math' &&
  node.children.some(
    (child) =>
      isElement(child) &&
      !skipped.has(child.name) &&
      (!inlineTags.has(child.name.toLowerCase()) || hasBlocks(child)),
  )

/** Returns figures for the images that are described. */
function figuresIn(nodes: readonly Child[]): readonly TextBlock[] {
  return nodes.flatMap((child): readonly TextBlock[] => {
    if (!isElement(child) || isHidden(child)) return []
    if (child.name.toLowerCase() !== 'img') return figuresIn(child.children)
    const content = tidy(markdownText(child.attribs['alt'] ?? '')).replace(/\s+/g, ' ')
    return content === '' ? [] : [{ kind: 'figure', content }]
  })
}

/** Returns the Markdown of inline content; white space is not collapsed yet. */
function textIn(nodes: readonly Child[], plain = false): string {
  let text = ''
  for (const node of nodes) {
    if (!isElement(node)) {
      if (node.nodeType === textNode && 'data' in node) text += asText(node.data, plain)
      else if ('children' in node) text += textIn(node.children, plain)
      continue
    }
    const tag = node.name.toLowerCase()
    if (isHidden(node)) continue
    if (tag === 'br') text += lineBreak
    else if (tag === 'img') continue
    else if (tag === 'math') text += asText(formulaText(node), plain)
    else {
      const label = node.attribs[listLabel]
      const inner =
        (label === undefined ? '' : asText(`${label} `, plain)) + textIn(node.children, plain)
      text += plain ? inner : marked(tag, node, inner)
    }
    // Blocks inside of inline content, as paragraphs in a cell or a list item.
    if (!inlineTags.has(tag)) text += lineBreak
  }
  return text
}

/** Returns a formula as TeX, if it contains that, or else its signs in their order. */
function formulaText(math: Element): string {
  const annotations = DomUtils.getElementsByTagName('annotation', math)
  const tex = annotations.find(({ attribs }) => /\btex\b/i.test(attribs['encoding'] ?? ''))
  if (tex) return rawText(tex.children).trim()
  const alternative = math.attribs['alttext']?.trim()
  return alternative ? alternative : signsIn(math.children)
}

const signsIn = (nodes: readonly Child[]): string =>
  nodes
    .map((node) => {
      if (!isElement(node)) return rawText([node]).trim()
      return /^annotation/i.test(node.name) ? '' : signsIn(node.children)
    })
    .join('')

/** In place of a line break until white space is collapsed. */
const lineBreak = '\u{E000}'

const asText = (data: string, plain: boolean): string => {
  const text = data.replaceAll(lineBreak, '').replace(/\s+/g, ' ')
  return plain ? text : markdownText(text)
}

function marked(tag: string, node: Element, inner: string): string {
  if (tag === 'sub' || tag === 'sup') return inner === '' ? '' : `<${tag}>${inner}</${tag}>`
  if (tag === 'a') return linked(node, inner)
  const mark = marks[tag]
  // A mark next to white space or punctuation would not be one.
  const word = /^(?<before>[^\p{L}\p{N}]*)(?<word>[\s\S]*?)(?<after>[^\p{L}\p{N}]*)$/u.exec(inner)
  if (mark === undefined || !word?.groups?.['word'] || inner.includes(lineBreak)) return inner
  const { before = '', word: content = '', after = '' } = word.groups
  return content.includes('&') || content.includes('<')
    ? inner
    : `${before}${mark}${content}${mark}${after}`
}

function linked(node: Element, inner: string): string {
  const address = node.attribs['href']?.trim() ?? ''
  // Back links of footnotes are only arrows.
  if (/^#(?:foot|end)note-ref/.test(address)) return ''
  const safe = /^(?:https?:\/\/|mailto:)[^\s()<>]{1,2000}$/i.test(address)
  return safe && inner.trim() !== '' && !inner.includes('[') ? `[${inner}](${address})` : inner
}

/** Collapses white space; line breaks become those of Markdown. */
const tidy = (text: string): string =>
  text
    .replace(/\*{4}|~{4}/g, '')
    .replace(/[^\S\u{A0}]+/gu, ' ')
    .replace(new RegExp(`(?: *${lineBreak})+ *`, 'gu'), lineBreak)
    .replace(new RegExp(`^[ ${lineBreak}]+|[ ${lineBreak}]+$`, 'gu'), '')
    .replaceAll(lineBreak, '  \n')

const quoted = (block: TextBlock): TextBlock =>
  block.kind === 'text' || block.kind === 'list'
    ? { ...block, content: block.content.replace(/^/gm, '> ') }
    : block

function codeBlocks(node: Element): readonly TextBlock[] {
  const code = rawText(node.children).replace(/^\n|\s+$/g, '')
  if (code === '') return []
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return [{ kind: 'text', content: `${fence}\n${code}\n${fence}` }]
}

const rawText = (nodes: readonly Child[]): string =>
  nodes
    .map((node) => {
      if (isElement(node)) return node.name === 'br' ? '\n' : rawText(node.children)
      return node.nodeType === textNode && 'data' in node ? node.data : ''
    })
    .join('')

/** Returns a list in blocks of moderate length; ordered items keep their numbers. */
function listBlocks(list: Element): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let chars = 0
  const end = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'list', content: lines.join('\n') })
    lines = []
    chars = 0
  }
  for (const item of itemsOf(list)) {
    lines.push(item)
    chars += item.length
    if (chars >= listChars) end()
  }
  end()
  return blocks
}

/** Formats of the numbers of a list by its type. */
const listFormats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

function itemsOf(list: Element): readonly string[] {
  let number = Number(/^\d{1,6}$/.exec(list.attribs['start'] ?? '')?.[0] ?? 1)
  const ordered = list.name.toLowerCase() === 'ol'
  const format = listFormats[list.attribs['type'] ?? ''] ?? 'decimal'
  return list.children.flatMap((item): readonly string[] => {
    if (!isElement(item) || isHidden(item)) return []
    // A list directly inside of a list.
    if (item.name === 'ul' || item.name === 'ol') return itemsOf(item).map((line) => indented(line))
    const label =
      item.attribs[listLabel] ?? (ordered ? `${listNumber(number++, format)}.` : undefined)
    // Markdown has no other labels of lists than decimal ones.
    const isMarker = label !== undefined && /^\d{1,9}[.)]$/.test(label)
    const marker = isMarker ? label : '-'
    const prefix = label === undefined || isMarker ? '' : `${markdownText(label)} `
    const inner = blocksIn(item)
    if (inner.length === 0) return []
    const lines = inner.map(({ kind, content }, at) => {
      const text = kind === 'title' ? content.replace(/^#+ /, '') : content
      return at === 0 ? text : indented(text, marker.length + 1)
    })
    return [
      `${marker} ${prefix}${lines.join(inner.some(({ kind }) => kind === 'table') ? '\n\n' : '\n')}`,
    ]
  })
}

const indented = (text: string, by = 2): string => text.replace(/^/gm, ' '.repeat(by))

/** Returns a table, divided into tables of moderate length where no cell continues in the next row. */
function tableBlocks(table: Element): readonly TextBlock[] {
  const rows: TableCell[][] = []
  const captions: TextBlock[] = []
  const walk = (nodes: readonly Child[], header: boolean): void => {
    for (const node of nodes) {
      if (!isElement(node)) continue
      if (node.name === 'tr') rows.push(cellsOf(node, header))
      else if (node.name === 'caption') captions.push(...blocksIn(node))
      else if (/^(?:thead|tbody|tfoot)$/.test(node.name)) walk(node.children, node.name === 'thead')
    }
  }
  walk(table.children, false)
  // A table of one cell only is a frame around its content.
  const [only] = rows
  if (rows.length === 1 && only?.length === 1) return [...captions, ...blocksIn(firstCell(table))]
  return [...captions, ...tablesOf(rows)]
}

function firstCell(node: Element): Parent {
  for (const child of node.children) {
    if (!isElement(child)) continue
    if (child.name === 'td' || child.name === 'th') return child
    if (/^(?:thead|tbody|tfoot|tr)$/.test(child.name)) return firstCell(child)
  }
  return node
}

/** Returns rows as tables of moderate length. */
export function tablesOf(rows: readonly (readonly TableCell[])[]): readonly TextBlock[] {
  const tables: TextBlock[] = []
  let from = 0
  let cells = 0
  let covered = 0
  for (const [at, row] of rows.entries()) {
    cells += row.length
    for (const { rowspan = 1 } of row) covered = Math.max(covered, at + rowspan)
    const full = at + 1 - from >= tableRows || cells >= tableCells
    if (at + 1 < rows.length && !(full && covered <= at + 1)) continue
    const table = tableOf(rows.slice(from, at + 1))
    if (table) tables.push(from === 0 ? table : { ...table, continued: true })
    from = at + 1
    cells = 0
  }
  return tables
}

function cellsOf(row: Element, header: boolean): TableCell[] {
  return row.children.flatMap((cell): readonly TableCell[] => {
    if (!isElement(cell) || (cell.name !== 'td' && cell.name !== 'th')) return []
    const text = tidy(textIn(cell.children, true)).replaceAll('  \n', '\n')
    return [
      {
        html: cellText(text),
        header: header || cell.name === 'th',
        colspan: spanOf(cell.attribs['colspan']),
        rowspan: spanOf(cell.attribs['rowspan']),
      },
    ]
  })
}

/** Text after a table of a few words must not be able to claim thousands of columns. */
const maxSpan = 100

const spanOf = (text: string | undefined): number =>
  Math.min(maxSpan, Math.max(1, Number(/^\s*(\d{1,4})\s*$/.exec(text ?? '')?.[1] ?? 1)))
