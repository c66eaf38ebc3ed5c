import { placeholder } from '../../../../../shared/documents/placeholders.ts'
import type { Block } from '../../../../../shared/model/document.ts'

/** A block of a response before it has an ID. */
export type ReadBlock = Omit<Block, 'id' | 'page' | 'edited'>

/**
 * Headers and footers are not part of a page's text: the vendor's pipeline omits them as well (service-notes 12).
 */
export const edgeLabels: ReadonlySet<string> = new Set([
  'header',
  'footer',
  'number',
  'page_number',
  'aside_text',
  'header_image',
  'footer_image',
])

/**
 * Returns the Markdown of a page (from 1) from its blocks in reading order; `withEdges` includes running heads and page
 * numbers.
 */
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

/** Returns the image by its URL or position, with the text recognized in it. */
function figureMarkdown(page: number, content: string, raw: ReadBlock['raw']): string {
  if (/!\[|<img\b/i.test(content)) return content
  if (/^https?:\/\/\S+$/i.test(content)) return `![](${content})`
  const image = raw ? placeholder(page, raw) : ''
  return [image, content].filter((part) => part !== '').join('\n\n')
}

const imagePattern = /!\[[^[\]\n]{0,500}\]\([^()\n]{0,4096}\)|<[^<>]{0,2000}>/gu
/** Runs of letters and digits: matching them is many times faster than replacing everything between them. */
const wordPattern = /[\p{L}\p{N}]+/gu

/**
 * Returns the plain words of a text, without images, tags, markup and spaces: for comparing two notations of the same
 * text.
 */
export const comparableText = (markdown: string): string =>
  (markdown.normalize('NFKC').replace(imagePattern, ' ').match(wordPattern) ?? []).join('')
