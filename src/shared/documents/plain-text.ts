import type { Block } from '../model/document.ts'
import { blockText } from './block-text.ts'

/** Lines without text: fences, table rules, horizontal rules, heading underlines. */
const wordless = /^[ \t]*(?:`{3,}|~{3,})[^\n]*$|^[ \t]*[-=*_|:+][-=*_|:+ \t]*$/gm
/** Markers at the beginning of a line: headings, quotations, lists and checkboxes. */
const lead = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)/gm
const closing = /[ \t]+#{1,6}[ \t]*$/gm
const link = /\[([^\][\n]{1,500})\]\((?:[^()\s]{0,2000})(?:[ \t]"[^"\n]{0,200}")?\)/g
const strong = /(\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)([^*_~`\n]{1,2000})(?<=\S)\1/g
const slanted = /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]{1,500}\S)_(?![\p{L}\p{N}_])/gu
const escaped = /\\([\\`*_{}[\]()#+\-.!|~>$])/g
const cells = /[ \t]*\|[ \t]*/g

/** Returns only the text of a block, for a line in a list, without Markdown syntax. Empty for a formula. */
export function plainWords(block: Pick<Block, 'kind' | 'content' | 'edited'>): string {
  return block.kind === 'formula' ? '' : plainMarkdown(blockText(block))
}

/** Returns the text of Markdown on one line, without its syntax; it may be cut off anywhere. */
export function plainMarkdown(markdown: string): string {
  const text = markdown
    .replace(wordless, ' ')
    .replace(lead, '')
    // A quotation in a list, a list in a quotation.
    .replace(lead, '')
    .replace(closing, '')
    .replace(link, '$1')
    .replace(strong, '$2')
    .replace(strong, '$2')
    .replace(slanted, '$1')
    .replace(cells, ' ')
    .replace(escaped, '$1')
  return text.replace(/\s+/g, ' ').trim()
}
