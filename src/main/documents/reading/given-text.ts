import type { Block } from '../../../shared/model/document.ts'
import { edgeLabels } from './page-markdown.ts'

/** A picture in Markdown or HTML: whoever is given the text cannot see it, and its address means nothing elsewhere. */
const imagePattern = /!\[([^[\]\n]{0,500})\]\([^()\n]{0,4096}\)|<img\b[^<>]{0,2000}>/giu
const onlyAddress = /^\s*(?:https?:|data:)\S*\s*$/iu

/**
 * The text of a page for somebody who reads it elsewhere: Markdown of its blocks in reading order, the reader's own words in the place
 * of what came, without running heads, page numbers and pictures; of a picture its words stay.
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
