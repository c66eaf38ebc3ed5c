import type { Block } from '../../../../../shared/model/document.ts'
import { edgeLabels } from './page-markdown.ts'

/**
 * Image in Markdown or HTML: the recipient of the text cannot see it, and its URL means nothing elsewhere.
 */
const imagePattern = /!\[([^[\]\n]{0,500})\]\([^()\n]{0,4096}\)|<img\b[^<>]{0,2000}>/giu
const onlyAddress = /^\s*(?:https?:|data:)\S*\s*$/iu

/**
 * Returns the text of a page for use elsewhere: Markdown of its blocks in reading order, with the user's edits instead
 * of the returned text, without running heads, page numbers and images; the texts of images are included.
 */
export const givenText = (blocks: readonly Block[]): string =>
  blocks
    .filter(({ label, nativeLabel }) => !edgeLabels.has(nativeLabel ?? label))
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n')

function blockText({ kind, label, nativeLabel, content, edited }: Block): string {
  const text = (edited ?? content).trim()
  if (kind === 'formula')
    return text === '' || /^(\$|\\\[|\\\()/.test(text) ? text : `$$\n${text}\n$$`
  const cleaned = onlyAddress.test(text) ? '' : text.replace(imagePattern, '$1').trim()
  if (kind !== 'title' || cleaned === '' || cleaned.startsWith('#')) return cleaned
  return `${(nativeLabel ?? label) === 'doc_title' ? '#' : '##'} ${cleaned.replace(/\s*\n\s*/gu, ' ')}`
}
