import { placeholder } from '../../../shared/document/placeholders.ts'
import type { Block } from '../../../shared/model/document.ts'

/** A block of a reply before it has an id. */
export type ReadBlock = Omit<Block, 'id' | 'page' | 'edited'>

/** What stands at the edge of a page is no part of its text: the vendor's pipeline leaves it out as well (service-notes 12). */
export const edgeLabels: ReadonlySet<string> = new Set([
  'header',
  'footer',
  'number',
  'page_number',
  'aside_text',
  'header_image',
  'footer_image',
])

/** The Markdown of a page (from 1) by its blocks in reading order; `withEdges` keeps running heads and page numbers. */
export const pageMarkdown = (
  page: number,
  blocks: readonly ReadBlock[],
  withEdges = false,
): string =>
  blocks
    .filter(({ label, nativeLabel }) => withEdges || !edgeLabels.has(nativeLabel ?? label))
    .map((block) => blockMarkdown(page, block))
    .filter((text) => text !== '')
    .join('\n\n')

function blockMarkdown(page: number, block: ReadBlock): string {
  const content = block.content.trim()
  switch (block.kind) {
    case 'title':
      return content === '' || content.startsWith('#') ? content : `${marksOf(block)} ${content}`
    case 'formula':
      return content === '' || /^(\$|\\\[|\\\()/.test(content) ? content : `$$\n${content}\n$$`
    case 'figure':
      return figureMarkdown(page, content, block.raw)
    case 'text':
    case 'table':
    case 'other':
      return content
  }
}

const marksOf = ({ label, nativeLabel }: ReadBlock): string =>
  (nativeLabel ?? label) === 'doc_title' ? '#' : '##'

/** The picture by its address or its place, with the words that were read in it. */
function figureMarkdown(page: number, content: string, raw: ReadBlock['raw']): string {
  if (/!\[|<img\b/i.test(content)) return content
  if (/^https?:\/\/\S+$/i.test(content)) return `![](${content})`
  const image = raw ? placeholder(page, raw) : ''
  return [image, content].filter((part) => part !== '').join('\n\n')
}

const imagePattern = /!\[[^[\]\n]{0,500}\]\([^()\n]{0,4096}\)|<[^<>]{0,2000}>/gu
/** Letters and digits in one go: matching is many times faster than replacing what lies between. */
const wordPattern = /[\p{L}\p{N}]+/gu

/** What a text says, without pictures, tags, marks and spaces: for comparing two ways of writing the same. */
export const comparableText = (markdown: string): string =>
  (markdown.normalize('NFKC').replace(imagePattern, ' ').match(wordPattern) ?? []).join('')
