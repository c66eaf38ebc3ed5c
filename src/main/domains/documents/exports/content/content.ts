import MarkdownIt from 'markdown-it'
import type { Block } from '../../../../../shared/model/document.ts'
import { cleanText } from '../../../../platform/export-files/clean.ts'
import { htmlNodes } from '../../../../platform/export-files/html-nodes.ts'
import type { Node, Element } from '../../../../platform/export-files/nodes.ts'
import {
  cutOpaque,
  type Opaque,
  type Placeholder,
} from '../../../../platform/export-files/opaque.ts'
import { placeholderImage } from './placeholders.ts'

/** Returns the current text of a block: the user's edit, otherwise the returned text. */
export const textOf = (block: Block): string => block.edited ?? block.content

/**
 * Returns the content of a block as sanitized nodes. `figures` are the figure blocks of its page, which placeholders may
 * refer to.
 */
export function blockNodes(block: Block, figures: readonly Block[]): readonly Node[] {
  const text = textOf(block)
  const reader = createReader(block, figures)
  switch (block.kind) {
    case 'formula':
      return formulaNodes(text, reader)
    case 'figure':
      return [{ type: 'picture', key: block.id, alt: '' }, ...reader.mixed(captionOf(text))]
    case 'title':
      return titleNodes(block, text, reader)
    default:
      return reader.mixed(text)
  }
}

/**
 * Returns the text of a figure (of a chart a whole table), unless its content is the URL or the placeholder of its
 * image.
 */
export function captionOf(content: string): string {
  const text = content.trim()
  if (/^(?:https?:|data:|file:|\/)\S*$/i.test(text)) return ''
  return cleanText(text.replace(/!\[[^\]\n]{0,500}\]\([^)\n]{0,10000}\)/g, '')).trim()
}

/** Returns LaTeX without its delimiters. */
export function bareTex(content: string): string {
  const text = content.trim()
  for (const [open, close] of [
    ['$$', '$$'],
    [String.raw`\[`, String.raw`\]`],
    [String.raw`\(`, String.raw`\)`],
    ['$', '$'],
  ] as const) {
    const inner = text.slice(open.length, -close.length)
    const whole = text.startsWith(open) && text.endsWith(close) && text.length > 2 * open.length
    // Two adjacent formulas are not one formula in delimiters.
    if (whole && !inner.includes('$')) return inner.trim()
  }
  return text
}

function formulaNodes(text: string, reader: Reader): readonly Node[] {
  const tex = bareTex(text)
  if (tex === '') return []
  const several = /\$|\\\[|\\\(/.test(tex.replace(/\\\$/g, ''))
  return several ? reader.mixed(text) : [{ type: 'formula', tex: cleanText(tex), display: true }]
}

function titleNodes(block: Block, text: string, reader: Reader): readonly Node[] {
  if (/^\s{0,3}#{1,6}\s/.test(text)) return reader.mixed(text)
  const children = reader.inline(text.trim().replace(/\s*\n\s*/g, ' '))
  return [{ type: 'element', tag: headingOf(block), attributes: {}, children }]
}

/** Returns the heading tag of a title block that has no level itself. */
export const headingOf = ({ label, nativeLabel }: Block): 'h1' | 'h2' =>
  (nativeLabel ?? label) === 'doc_title' ? 'h1' : 'h2'

/**
 * Maximum length of text parsed as Markdown, in UTF-16 units, far above any page of a book; longer text stays plain text.
 */
const maxMarkdownLength = 200_000

/** `code` is disabled: indented lines reflect the layout of a page, not code. */
const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false }).disable('code')

/** Parses the texts of one block. */
interface Reader {
  /** Parses Markdown with HTML tables. */
  mixed(text: string): readonly Node[]
  /** Parses Markdown of a single line. */
  inline(text: string): readonly Node[]
}

/** Creates the reader of a block; `figures` are the figure blocks of its page. */
function createReader(block: Block, figures: readonly Block[]): Reader {
  const read = (text: string, html: (text: string) => string): readonly Node[] => {
    const opaque = cutOpaque(text)
    const nodes = htmlNodes(html(opaque.text), (src, alt) => {
      const address = restored(src, opaque)
      return { type: 'picture', key: address === '' ? null : address, alt: restored(alt, opaque) }
    })
    return refilled(nodes, opaque, (one) => ({
      type: 'picture',
      key: placeholderImage(one, block, figures),
      alt: cleanText(one.alt),
    }))
  }
  return {
    inline: (text) => read(text, (one) => markdown.renderInline(one)),
    mixed: (text) =>
      sectionsOf(text).flatMap((section) => {
        if (section.table) return read(section.text, (one) => one)
        if (section.text.trim() === '') return []
        if (section.text.length > maxMarkdownLength) return paragraphs(section.text)
        return read(section.text, (one) => markdown.render(one))
      }),
  }
}

function paragraphs(text: string): readonly Node[] {
  return text.split(/\n[ \t]*\n/).map((words): Node => ({
    type: 'element',
    tag: 'p',
    attributes: {},
    children: [{ type: 'text', text: cleanText(words) }],
  }))
}

/** Separates HTML tables from the Markdown around them, where an empty line would end a table. */
function sectionsOf(text: string): readonly { readonly text: string; readonly table: boolean }[] {
  const sections: { text: string; table: boolean }[] = []
  let from = 0
  let depth = 0
  for (const match of text.matchAll(/<(\/?)table(?=[\s>])[^>]{0,1000}>/gi)) {
    const closing = match[1] === '/'
    if (!closing && depth === 0) {
      sections.push({ text: text.slice(from, match.index), table: false })
      from = match.index
    }
    depth = Math.max(0, depth + (closing ? -1 : 1))
    if (closing && depth === 0 && sections.length % 2 === 1) {
      const end = match.index + match[0].length
      sections.push({ text: text.slice(from, end), table: true })
      from = end
    }
  }
  // An unclosed table extends to the end.
  return [...sections, { text: text.slice(from), table: depth > 0 }]
}

const marks = ({ mark }: Opaque): RegExp => new RegExp(`${mark}(\\d+)${mark}`)

/** Returns a string with the opaque parts as they were written. */
function restored(text: string, opaque: Opaque): string {
  return text.replace(new RegExp(marks(opaque), 'g'), (whole, at: string) => {
    return opaque.fragments[Number(at)]?.source ?? whole
  })
}

/** Returns nodes with the opaque parts put back; inside code they become their original text. */
function refilled(
  nodes: readonly Node[],
  opaque: Opaque,
  imageOf: (placeholder: Placeholder) => Node,
  inCode = false,
): readonly Node[] {
  return nodes.flatMap((node): readonly Node[] => {
    if (node.type === 'element') {
      const code = inCode || node.tag === 'code' || node.tag === 'pre'
      const children = refilled(node.children, opaque, imageOf, code)
      return [withAddress({ ...node, children }, opaque)]
    }
    if (node.type !== 'text' || !node.text.includes(opaque.mark)) return [node]
    if (inCode) return [{ type: 'text', text: cleanText(restored(node.text, opaque)) }]
    return node.text.split(marks(opaque)).flatMap((part, at): readonly Node[] => {
      if (at % 2 === 0) return part === '' ? [] : [{ type: 'text', text: part }]
      const fragment = opaque.fragments[Number(part)]
      if (!fragment) return [{ type: 'text', text: part }]
      if (fragment.node.type === 'placeholder') return [imageOf(fragment.node)]
      if (fragment.node.type === 'code') return [{ type: 'text', text: cleanText(fragment.source) }]
      return [{ ...fragment.node, tex: cleanText(fragment.node.tex) }]
    })
  })
}

function withAddress(node: Element, opaque: Opaque): Element {
  const { href } = node.attributes
  if (href === undefined || !href.includes(encodeURIComponent(opaque.mark))) return node
  const address = restored(decodeURI(href), opaque)
  return { ...node, attributes: { ...node.attributes, href: encodeURI(address) } }
}
