import type { Block } from '../../../../../shared/model/document.ts'
import { formulaMathml } from '../../../lib/markdown/formula.ts'
import { formulaTex } from '../../../lib/markdown/math-spans.ts'
import type { PlainBlock } from '../../../lib/markdown/plain-block.ts'
import { csv, hasSpans, markdownTable, tsv } from './table-text.ts'

/** Formats in which a block can be copied; `c` copies the first one that a block supports. */
export type CopyForm =
  | 'table'
  | 'image'
  | 'latex'
  | 'latexDisplay'
  | 'mathml'
  | 'text'
  | 'markdown'
  | 'tsv'
  | 'csv'
  | 'tableMarkdown'
  | 'html'
  | 'source'

/** A copy format as shown in the menu. */
export interface CopyChoice {
  readonly form: CopyForm
  /** Whether merged cells are lost in this format. */
  readonly losesSpans: boolean
}

/** Clipboard content: always plain text, optionally with a richer format. */
export interface Clip {
  readonly text: string
  readonly html: string | null
}

/** Splits a block's content; passed in because it needs the page's document. */
export type SplitContent = (content: string) => PlainBlock | null

const contentOf = (block: Pick<Block, 'content' | 'edited'>): string =>
  block.edited ?? block.content

/** Returns the copy formats of a block, the most likely first. */
export function copyChoices(block: Block, splitContent: SplitContent): readonly CopyChoice[] {
  const plainly = (form: CopyForm): CopyChoice => ({ form, losesSpans: false })
  const source: readonly CopyChoice[] = block.edited === null ? [] : [plainly('source')]
  if (block.kind === 'formula')
    return [...(['latex', 'latexDisplay', 'mathml'] as const).map(plainly), ...source]
  if (block.kind === 'figure')
    return [...(['image', 'text', 'markdown'] as const).map(plainly), ...source]
  const table = splitContent(contentOf(block))?.tables[0]
  if (!table) return [...(['text', 'markdown'] as const).map(plainly), ...source]
  const losesSpans = hasSpans(table.rows)
  return [
    plainly('table'),
    { form: 'tsv', losesSpans },
    { form: 'csv', losesSpans },
    { form: 'tableMarkdown', losesSpans },
    plainly('html'),
    plainly('text'),
    ...source,
  ]
}

/** Returns a block in a format; null when it does not support it (an image is not text). */
export function clipOf(block: Block, form: CopyForm, splitContent: SplitContent): Clip | null {
  const content = contentOf(block)
  const words = (text: string | null | undefined, html: string | null = null): Clip | null =>
    text === null || text === undefined ? null : { text, html }
  const rows = () => splitContent(content)?.tables ?? []
  const eachTable = (write: (table: PlainBlock['tables'][number]) => string, between = '\n\n') => {
    const tables = rows()
    return tables.length === 0 ? null : tables.map(write).join(between)
  }
  switch (form) {
    case 'latex':
      return words(formulaTex(content))
    case 'latexDisplay':
      return words(`$$\n${formulaTex(content)}\n$$`)
    case 'mathml': {
      // Word accepts MathML both as text and as HTML.
      const mathml = formulaMathml(formulaTex(content), true)
      return words(mathml, mathml)
    }
    case 'text':
      return words(block.kind === 'formula' ? formulaTex(content) : splitContent(content)?.text)
    case 'markdown':
      return words(block.kind === 'formula' ? `$$\n${formulaTex(content)}\n$$` : content.trim())
    case 'table':
      return words(
        eachTable((table) => tsv(table.rows, 'first', false)),
        eachTable(({ html }) => html, '<br>'),
      )
    case 'tsv':
      return words(eachTable((table) => tsv(table.rows)))
    case 'csv':
      return words(eachTable((table) => csv(table.rows), '\r\n\r\n'))
    case 'tableMarkdown':
      return words(eachTable((table) => markdownTable(table.rows)))
    case 'html':
      return words(eachTable(({ html }) => html, '\n'))
    case 'source':
      return words(block.content)
    case 'image':
      return null
  }
}

/** Returns several blocks in reading order as one Markdown text, for a selection across blocks. */
export function joinedMarkdown(blocks: readonly Block[]): string {
  return blocks
    .toSorted((a, b) => a.page - b.page || a.order - b.order)
    .map((block) =>
      block.kind === 'formula'
        ? `$$\n${formulaTex(contentOf(block))}\n$$`
        : contentOf(block).trim(),
    )
    .filter((text) => text !== '')
    .join('\n\n')
}
