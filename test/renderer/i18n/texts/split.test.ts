import { expect, test } from 'vitest'
import {
  parseCsv,
  parseJsonLines,
  splitMarkdown,
  splitText,
} from '../../../../src/renderer/src/domains/knowledge/text-input/split.ts'
import { readTable } from '../../../../src/renderer/src/domains/knowledge/text-input/table.ts'

test('splits lines and paragraphs with line breaks of any system', () => {
  expect(splitText('one\r\n\r\n two \rthree\n', 'lines')).toEqual(['one', 'two', 'three'])
  expect(splitText('one\ngoes on\n \t\n\ntwo\n', 'paragraphs')).toEqual(['one\ngoes on', 'two'])
  expect(splitText(' \n\n ', 'paragraphs')).toEqual([])
})

test('splits Markdown: a heading stays with its text, code keeps its empty lines', () => {
  expect(splitMarkdown('# Title\n\nFirst.\n\n```js\na\n\nb\n```\n\n## Next\nSecond.\n')).toEqual([
    '# Title\nFirst.',
    '```js\na\n\nb\n```',
    '## Next\nSecond.',
  ])
})

test('parses CSV: quotes with separators, breaks and quotes; other separators; a BOM', () => {
  expect(parseCsv('\uFEFFid,text\r\n1,"a, ""b""\nc"\r\n\r\n2,d')).toEqual([
    ['id', 'text'],
    ['1', 'a, "b"\nc'],
    ['2', 'd'],
  ])
  expect(parseCsv('id;text\n1;a, b\n')).toEqual([
    ['id', 'text'],
    ['1', 'a, b'],
  ])
  expect(parseCsv('a\tb\n"open')).toEqual([['a', 'b'], ['open']])
})

test('parses JSONL: counts invalid lines, accepts plain texts and a JSON list', () => {
  expect(parseJsonLines('{"a":"x"}\n\nno json\n"y"\n5\n')).toEqual({
    records: [{ a: 'x' }, { text: 'y' }],
    broken: 2,
  })
  expect(parseJsonLines('[{"a":"x"},"y"]').records).toEqual([{ a: 'x' }, { text: 'y' }])
})

test('offers the column with the longest texts first, and returns its rows', () => {
  const table = readTable('qa.csv', 'id,answer,answer\n1,short,much longer text\n2,x,\n')
  expect(table.fields).toEqual(['answer (3)', 'answer', 'id'])
  const rows = (field: string, header = true) => table.rows({ way: 'lines', field, header })
  expect(rows('answer (3)')).toEqual(['much longer text'])
  expect(rows('id', false)).toEqual(['id', '1', '2'])
  expect(rows('gone')).toEqual([])
  expect(
    readTable('notes.md', '# A\n\nb').rows({ way: 'paragraphs', field: '', header: true }),
  ).toEqual(['# A\nb'])
})
