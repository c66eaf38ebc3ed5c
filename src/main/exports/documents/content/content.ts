import type { Block } from '../../../../shared/model/document.ts'
import { cleanText } from './clean.ts'
import type { Node } from './nodes.ts'
import { createReader, type Reader } from './reader.ts'

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
