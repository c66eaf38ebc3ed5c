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
        blocks: blocksOf(page, 0, texts),
      }
    },
  )
}

/** Returns a page that ends with its highlights: their quotes, and below each quote its note. */
export function withHighlights(
  page: ExportPage,
  highlights: readonly Highlight[],
  language: ExportLanguage,
): ExportPage {
  if (highlights.length === 0) return page
  const texts = [`### ${documentLabels[language].highlights}`, ...highlights.map(markdownOf)]
  const first = Math.max(-1, ...page.blocks.map(({ order }) => order)) + 1
  return { ...page, blocks: [...page.blocks, ...blocksOf(page.page, first, texts)] }
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

/** Returns texts, of which the first is a heading, as blocks of a page. */
const blocksOf = (page: number, first: number, texts: readonly string[]): readonly Block[] =>
  texts.map((content, at) => ({
    id: `${page}-${first + at}`,
    page,
    order: first + at,
    kind: at === 0 ? 'title' : 'text',
    label: 'text',
    nativeLabel: null,
    content,
    edited: null,
    box: null,
    raw: null,
    guessed: false,
  }))
