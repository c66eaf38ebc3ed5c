import type { PageBlock } from '../messages.ts'
import { type Box, boxAround } from '../geometry.ts'
import { listMark, listMarkdown, type Paragraph } from './lists.ts'

/** Block before its box is rounded and its crop is created. */
export type Block = Pick<PageBlock, 'label' | 'nativeLabel' | 'content'> & { readonly box: Box }

/** Criteria for detecting headings. */
export interface HeadingRules {
  /** Font size of the body text in pixels. */
  readonly body: number
  /** Largest font size of the page. */
  readonly largest: number
  readonly firstPage: boolean
  /** Whether sizes are estimated from boxes, so that only large differences count. */
  readonly ocr: boolean
}

const sectionNumber =
  /^(?:(\d{1,2}(?:\.\d{1,2}){0,3})\.?|[A-Z]\.|第[一二三四五六七八九十\d]+[章节部分])\s*(?=\p{L})/u

/** Returns the Markdown level of a heading, 1 to 4; 0 for running text. */
function levelOf(paragraph: Paragraph, rules: HeadingRules): number {
  const { text, size, bold, lines } = paragraph
  const ratio = size / rules.body
  if (lines.length > 3 || text.length > 160 || !/\p{L}/u.test(text)) return 0
  const large = ratio >= (rules.ocr ? 1.3 : 1.25)
  const heavy = bold && ratio >= 0.97 && text.length <= 100 && !/[.,;:。，；：]$/.test(text)
  if (!large && !heavy) return 0
  if (rules.firstPage && large && size >= 0.97 * rules.largest && ratio >= (rules.ocr ? 1.3 : 1.45))
    return 1
  const depth = sectionNumber.exec(text)?.[1]?.split('.').length
  if (depth !== undefined) return Math.min(4, depth + 1)
  return ratio >= 1.3 ? 2 : 3
}

function asBlock(paragraph: Paragraph, rules: HeadingRules): Block {
  const { box, text } = paragraph
  const level = levelOf(paragraph, rules)
  if (level === 0)
    return { label: 'text', nativeLabel: 'text', box, content: text.replace(/(\s*\.){5,}/g, ' …') }
  const nativeLabel = level === 1 ? 'doc_title' : 'paragraph_title'
  return { label: 'text', nativeLabel, box, content: `${'#'.repeat(level)} ${text}` }
}

/**
 * Returns the length of the list that begins at `from`: one bullet is enough, numbers and letters must continue.
 */
function listLength(paragraphs: readonly Paragraph[], from: number, rules: HeadingRules): number {
  let length = 0
  for (const paragraph of paragraphs.slice(from)) {
    if (!listMark(paragraph.text) || levelOf(paragraph, rules) > 0) break
    length++
  }
  const [sign = ''] = paragraphs[from]?.text ?? ''
  return length === 1 && /[\d\p{L}(]/u.test(sign) ? 0 : length
}

/** Converts the paragraphs of a region to headings, lists and text blocks. */
export function blocksOf(paragraphs: readonly Paragraph[], rules: HeadingRules): Block[] {
  const blocks: Block[] = []
  for (let i = 0; i < paragraphs.length;) {
    const length = listLength(paragraphs, i, rules)
    const paragraph = paragraphs[i]
    if (!paragraph) break
    if (length > 0) {
      const items = paragraphs.slice(i, i + length)
      const box = boxAround(items.map((item) => item.box))
      blocks.push({ label: 'text', nativeLabel: 'list', box, content: listMarkdown(items) })
    } else blocks.push(asBlock(paragraph, rules))
    i += Math.max(1, length)
  }
  return blocks
}
