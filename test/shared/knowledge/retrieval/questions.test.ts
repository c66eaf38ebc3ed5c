import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, readCsv } from '../../../../src/shared/knowledge/retrieval/csv.ts'
import {
  maxQuestions,
  readQuestions,
} from '../../../../src/shared/knowledge/retrieval/questions.ts'

const texts = (content: string, name: string) =>
  readQuestions(content, name)?.questions.map(({ text }) => text) ?? null

test('reads questions from lines, tables and JSON, without duplicates', () => {
  expect(texts('\u{feff}One?\r\n\r\n  Two   words? \nOne?\n', 'list.txt')).toEqual([
    'One?',
    'Two words?',
  ])
  expect(texts('id,question,note\n1,"What, if ""so""?",a\n2,Why?,\n', 'a.csv')).toEqual([
    'What, if "so"?',
    'Why?',
  ])
  expect(texts('问题;备注\n多少钱？;价格\n', 'b.csv')).toEqual(['多少钱？'])
  expect(texts('Who?\tx\nWhen?\ty\n', 'c.tsv')).toEqual(['Who?', 'When?'])
  expect(texts('["A?",{"question":"B?"},{"query":"C?"},7]', 'd.json')).toEqual(['A?', 'B?', 'C?'])
  expect(texts('{"questions":[{"question":"D?"}]}', 'e.json')).toEqual(['D?'])
  expect(texts('{"text":"E?"}\n{"text":"F?"}\n', 'f.jsonl')).toEqual(['E?', 'F?'])
  expect(texts('{"nothing":1}', 'g.json')).toBeNull()
  expect(texts('{', 'h.json')).toBeNull()
})

test('reports skipped questions', () => {
  const many = Array.from({ length: maxQuestions + 3 }, (_, at) => `Question ${at}`).join('\n')
  expect(readQuestions(`${'x'.repeat(1001)}\nA\nA`, 'a.txt')).toMatchObject({
    tooLong: 1,
    twice: 1,
    tooMany: 0,
  })
  expect(readQuestions(many, 'a.txt')).toMatchObject({ tooMany: 3 })
})

test('reads back a written table, and never executes it as a formula', () => {
  expect(csvLine(['=1+1', -3, null, 'a"b'])).toBe(`"'=1+1",-3,,"a""b"\r\n`)
  for (const call of [' =1+1', '"=1+1', '＝1+1', '\n=1+1'])
    expect(readCsv(csvLine([call]))[0]).toEqual([`'${call}`])
  // Text that begins like a formula is prefixed, and is not the same afterwards.
  const isCalled = /^[\s'"]*[=+\-@＝＋－＠]|^[\t\r\n]/u
  const cell = fc.string().filter((text) => !isCalled.test(text) && !/\r/.test(text))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
      const table = [['one', 'two', 'three'], ...rows]
      const nonEmptyRows = table.filter((row) => row.some((one) => one.trim() !== ''))
      expect(readCsv(table.map(csvLine).join(''))).toEqual(nonEmptyRows)
    }),
    { seed: 7, numRuns: 500 },
  )
})
