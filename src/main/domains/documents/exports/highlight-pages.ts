import type { Block } from '../../../../shared/model/document.ts'
import type { Highlight } from '../../../../shared/model/highlight.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'
import type { ExportPage } from './document-export-types.ts'
import { documentLabels } from './labels.ts'

/**
 * Returns highlights, which are in the order of the pages, as pages to export: below the number of each page its quotes, and
 * below each quote its note.
 */
export function highlightPages(
  highlights: readonly Highlight[],
  language: ExportLanguage,
): readonly ExportPage[] {
  const heading = documentLabels[language].page
  return Array.from(
    Map.groupBy(highlights, ({ page }) => page),
    ([page, onPage]) => {
      const texts = [`## ${heading(page)}`, ...onPage.map(markdownOf)]
      return {
        page,
        state: 'returned',
        size: null,
        raster: null,
        error: null,
        version: null,
        blocks: texts.map((content, order) => blockOf(page, order, content)),
      }
    },
  )
}

/** The lines of a note stay, so that it can contain a list. */
function markdownOf({ quote, note }: Highlight): string {
  const lines = note.split('\n').map(plain)
  return [quote === '' ? '' : `> ${plain(quote)}`, lines.join('  \n').trim()]
    .filter((part) => part !== '')
    .join('\n\n')
}

/**
 * Returns a line as Markdown that reads the same. In a block, a backslash before a bracket begins a formula, and a tag is one
 * after a backslash too.
 */
const plain = (line: string): string =>
  line
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/[\\`*_|~#$]|^>|^(?=[-=]+$)/g, String.raw`\$&`)
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/\](?=[(:])/g, '&#93;')

const blockOf = (page: number, order: number, content: string): Block => ({
  id: `${page}-${order}`,
  page,
  order,
  kind: order === 0 ? 'title' : 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
})
