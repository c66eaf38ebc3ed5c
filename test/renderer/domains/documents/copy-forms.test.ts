import { expect, test } from 'vitest'
import type { Block, BlockKind } from '../../../../src/shared/model/document.ts'
import {
  clipOf,
  copyChoices,
  joinedMarkdown,
  type SplitContent,
} from '../../../../src/renderer/src/domains/documents/copy/copy-forms.ts'

const block = (kind: BlockKind, content: string, more: Partial<Block> = {}): Block => ({
  id: 'b1',
  page: 1,
  order: 0,
  kind,
  label: kind,
  nativeLabel: null,
  content,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
  ...more,
})
const cell = (text: string, colspan = 1) => ({ text, colspan, rowspan: 1, header: false })
const splitContent: SplitContent = (content) => ({
  text: `words of ${content}`,
  tables: content.startsWith('<table')
    ? [{ rows: [[cell('a', 2)], [cell('b'), cell('=c')]], html: '<table border="1"></table>' }]
    : [],
})
const formsOf = (one: Block) => copyChoices(one, splitContent).map(({ form }) => form)

test('offers the formats of each kind of block, most likely first', () => {
  expect(formsOf(block('text', 'x'))).toEqual(['text', 'markdown'])
  expect(formsOf(block('formula', 'x'))).toEqual(['latex', 'latexDisplay', 'mathml'])
  expect(formsOf(block('figure', 'x'))).toEqual(['image', 'text', 'markdown'])
  expect(formsOf(block('table', '<table>'))).toEqual([
    'table',
    'tsv',
    'csv',
    'tableMarkdown',
    'html',
    'text',
  ])
  expect(formsOf(block('text', 'x', { edited: 'y' }))).toEqual(['text', 'markdown', 'source'])
})

test('marks formats that lose merged cells', () => {
  const losing = copyChoices(block('table', '<table>'), splitContent).filter(
    ({ losesSpans }) => losesSpans,
  )
  expect(losing.map(({ form }) => form)).toEqual(['tsv', 'csv', 'tableMarkdown'])
})

test('copies a formula as LaTeX with its delimiters, and as MathML with the same content', () => {
  const one = block('formula', '$$\\frac{a}{b}$$')
  expect(clipOf(one, 'latex', splitContent)?.text).toBe('\\frac{a}{b}')
  expect(clipOf(one, 'latexDisplay', splitContent)?.text).toBe('$$\n\\frac{a}{b}\n$$')
  const mathml = clipOf(one, 'mathml', splitContent)
  expect(mathml?.text).toMatch(/^<math .*<mfrac><mi>a<\/mi><mi>b<\/mi><\/mfrac>.*<\/math>$/s)
  expect(mathml?.html).toBe(mathml?.text)
  expect(clipOf(block('formula', '\\frac{'), 'mathml', splitContent)).toBeNull()
})

test('copies a table as unguarded text and HTML together, and guarded as text for files', () => {
  const one = block('table', '<table>')
  expect(clipOf(one, 'table', splitContent)).toEqual({
    text: 'a\t\nb\t=c',
    html: '<table border="1"></table>',
  })
  expect(clipOf(one, 'csv', splitContent)?.text).toBe("a,\r\nb,'=c")
  expect(clipOf(one, 'tsv', splitContent)?.html).toBeNull()
  expect(clipOf(block('text', 'x'), 'csv', splitContent)).toBeNull()
})

test("prefers the user's own text to the returned one, which is still available", () => {
  const one = block('text', 'returned', { edited: 'mine' })
  expect(clipOf(one, 'markdown', splitContent)?.text).toBe('mine')
  expect(clipOf(one, 'source', splitContent)?.text).toBe('returned')
})

test('joins several blocks in reading order', () => {
  const blocks = [
    block('text', 'third', { page: 2 }),
    block('formula', '$x$', { order: 1 }),
    block('text', ' first '),
    block('text', '  ', { order: 2 }),
  ]
  expect(joinedMarkdown(blocks)).toBe('first\n\n$$\nx\n$$\n\nthird')
})
