import { expect, test } from 'vitest'
import { blockNodes } from '../../../../../src/main/domains/documents/exports/content/content.ts'
import { markupOf } from '../../../../../src/main/domains/documents/exports/index.ts'
import { highlightPages } from '../../../../../src/main/domains/documents/exports/highlight-pages.ts'
import type { Highlight } from '../../../../../src/shared/model/highlight.ts'

const aHighlight = (change: Partial<Highlight>): Highlight => ({
  id: 'h',
  documentId: 'd',
  page: 1,
  boxes: [[0, 0, 1, 1]],
  quote: '',
  note: '',
  color: 'green',
  createdAt: 0,
  updatedAt: 0,
  ...change,
})

/** Returns the markup of each block of each page. */
const markup = (highlights: readonly Highlight[], language: 'en' | 'zh' = 'en') =>
  Promise.all(
    highlightPages(highlights, language).map(({ blocks }) =>
      Promise.all(
        blocks.map((block) =>
          markupOf(blockNodes(block, []), {
            images: null,
            imageLabel: '',
            counts: { images: 0, plainFormulas: 0 },
          }),
        ),
      ),
    ),
  )

test('groups quotes and notes below the number of their page', async () => {
  const pages = [
    aHighlight({ page: 2, quote: 'The sea is quiet.', note: 'Why?\nAsk the keeper.' }),
    aHighlight({ page: 2, note: 'only a note' }),
    aHighlight({ page: 11, quote: '海很安静。' }),
  ]
  const [second, eleventh] = await markup(pages, 'zh')
  expect(second?.map((one) => one.replaceAll('\n', ''))).toEqual([
    '<h2>第 2 页</h2>',
    '<blockquote><p>The sea is quiet.</p></blockquote><p>Why?<br>Ask the keeper.</p>',
    '<p>only a note</p>',
  ])
  expect(eleventh?.join('')).toContain('海很安静。')
})

test.each([
  'costs $5 and $6 as in [1] and [2], (see \\(x\\) and \\[y\\])',
  'a *star*, an _underscore_, `code` and ~~nothing~~',
  '[1]: https://example.com',
  'an image ![alt](https://example.com/x.png) and a [link](https://example.com)',
  'if a < b and <script>alert(1)</script> & &lt; <b>',
  '# no heading',
  '> no quote',
  'the pipe | of a table',
  '---',
])('writes %s as it reads', async (text) => {
  const decoded = (html: string): string =>
    html
      .replaceAll(/<\/?(?:p|blockquote|h2)>|\n/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
  for (const part of ['quote', 'note'] as const) {
    const [page] = await markup([aHighlight({ [part]: text })])
    expect(decoded(page?.[1] ?? '')).toBe(text)
  }
})
