import { expect, test } from 'vitest'
import { personSeconds, totalSeconds, type Effort, type PartResult } from './effort.ts'
import { comparisonTable, resultTable } from './report.ts'

const effort: Effort = {
  clicks: 3,
  keys: 2,
  fields: 1,
  characters: 10,
  pages: 1,
  dialogs: 0,
  decisions: ['text: minutes'],
}
const result = (name: string, part: Partial<Effort>, appSeconds: number): PartResult => ({
  name,
  goal: '',
  effort: { ...effort, ...part },
  appSeconds,
  steps: [],
})
const cellsOf = (table: string): readonly (readonly string[])[] =>
  table.split('\n').map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))

test('a person needs time for pointing, presses, keys, and decisions', () => {
  // 12 keys and characters, 3 pointings with a press each, and 1 decision.
  expect(personSeconds(effort)).toBeCloseTo(12 * 0.28 + 3 * (1.1 + 0.1) + 1.35, 10)
  expect(totalSeconds(result('read', {}, 2))).toBeCloseTo(personSeconds(effort) + 2, 10)
})

test('pages, dialogs, and fields take no time of their own', () => {
  const more = { ...effort, pages: 9, dialogs: 9, fields: 9 }
  expect(personSeconds(more)).toBe(personSeconds(effort))
})

test('a table has a row with the figures of each part', () => {
  const [head, , row] = cellsOf(resultTable([result('read', {}, 2)]))
  expect(head).toEqual(
    'journey,clicks,keys,fields,characters,pages,dialogs,decisions,app s,person s,sum s'.split(','),
  )
  expect(row).toEqual(['read', '3', '2', '1', '10', '1', '0', '1', '2.0', '8.3', '10.3'])
})

test('a comparison shows both figures, and the ratio of the sums', () => {
  const before = [result('read', {}, 2), result('ask', {}, 1)]
  const after = [result('read', { clicks: 1, characters: 0 }, 0), result('speak', {}, 1)]
  const [head, , read, ask, speak] = cellsOf(comparisonTable(before, after))
  expect(head?.at(-1)).toBe('ratio')
  expect(read?.[1]).toBe('3 → 1')
  expect(read?.slice(-2)).toEqual(['10.3 → 3.1', '0.30'])
  // Parts of only one side are listed without a ratio.
  expect(ask?.slice(-2)).toEqual(['9.3 → –', '–'])
  expect(speak?.slice(-2)).toEqual(['– → 9.3', '–'])
})
