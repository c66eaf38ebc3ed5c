import { expect, test } from 'vitest'
import type { Cell } from '../../../../src/shared/documents/table-grid.ts'
import {
  csv,
  guarded,
  hasSpans,
  markdownTable,
  tsv,
} from '../../../../src/renderer/src/domains/documents/copy/table-text.ts'

const cell = (text: string, colspan = 1, rowspan = 1): Cell => ({
  text,
  colspan,
  rowspan,
  header: false,
})
const plain = [
  [cell('a'), cell('b, "c"')],
  [cell('two\nlines'), cell('x|y')],
]
const merged = [
  [cell('wide', 2), cell('tall', 1, 2)],
  [cell('c'), cell('d')],
]

test('exports a table with tabs, with commas and as Markdown', () => {
  expect(tsv(plain)).toBe('a\tb, "c"\ntwo lines\tx|y')
  expect(csv(plain)).toBe('a,"b, ""c"""\r\n"two\nlines",x|y')
  expect(markdownTable(plain)).toBe('| a | b, "c" |\n| --- | --- |\n| two<br>lines | x\\|y |')
})

test('reports merged cells, repeated or left empty', () => {
  expect(hasSpans(plain)).toBe(false)
  expect(hasSpans(merged)).toBe(true)
  expect(tsv(merged)).toBe('wide\t\ttall\nc\td\t')
  expect(tsv(merged, 'repeat')).toBe('wide\twide\ttall\nc\td\ttall')
  expect(markdownTable(merged)).toBe(
    '| wide | wide | tall |\n| --- | --- | --- |\n| c | d | tall |',
  )
})

test.each(['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://a")', '＝1'])(
  'prevents spreadsheets from executing %j',
  (text) => {
    expect(guarded(text)).toBe(`'${text}`)
    expect(
      csv([[cell(text)]])
        .replaceAll('"', '')
        .startsWith("'"),
    ).toBe(true)
  },
)

test.each(['-1', '+3.5', '-1,234.50', '-12 %', '5', 'a=b', '', '-1e5'])(
  'leaves %j unchanged',
  (text) => {
    expect(guarded(text)).toBe(text)
  },
)

test('makes the guard optional', () => {
  expect(csv([[cell('=1')]], 'first', false)).toBe('=1')
  expect(tsv([[cell('=1')]], 'first', false)).toBe('=1')
})
