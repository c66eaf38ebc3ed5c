import type { Block } from '../model/document.ts'
import { blockText } from './block-text.ts'

/** Fences, rules of tables and lines, the underlining of headings: lines that hold no word. */
const wordless = /^[ \t]*(?:`{3,}|~{3,})[^\n]*$|^[ \t]*[-=*_|:+][-=*_|:+ \t]*$/gm
/** Marks at the beginning of a line: headings, quotations, lists and their boxes. */
const lead = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)/gm
const closing = /[ \t]+#{1,6}[ \t]*$/gm
const link = /\[([^\][\n]{1,500})\]\((?:[^()\s]{0,2000})(?:[ \t]"[^"\n]{0,200}")?\)/g
const strong = /(\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)([^*_~`\n]{1,2000})(?<=\S)\1/g
const slanted = /(?<![\p{L}\p{N}_])_(?=\S)([^_\n]{1,500}\S)_(?![\p{L}\p{N}_])/gu
const escaped = /\\([\\`*_{}[\]()#+\-.!|~>$])/g
const cells = /[ \t]*\|[ \t]*/g

/**
 * The words of a block and nothing else, for a line in a list: no signs of Markdown. A formula has
 * none.
 */
export function plainWords(block: Pick<Block, 'kind' | 'content' | 'edited'>): string {
  return block.kind === 'formula' ? '' : plainMarkdown(blockText(block))
}

/** The words of a text in Markdown on one line, without its signs; a piece cut off anywhere is allowed. */
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
