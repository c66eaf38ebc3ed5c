import { expect, test } from 'vitest'
import {
  compareRows,
  countKinds,
  sideParts,
} from '../../../../src/renderer/src/domains/documents/versions/compare-rows.ts'
import type { BlockChange } from '../../../../src/shared/contract/documents.ts'
import type { Block } from '../../../../src/shared/model/document.ts'

const block = (id: string): Block => ({
  id,
  page: 1,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content: id,
  edited: null,
  box: null,
  raw: null,
  guessed: false,
})
const change = (kind: BlockChange['kind'], left: string, right: string): BlockChange => ({
  kind,
  left: left === '' ? null : block(left),
  right: right === '' ? null : block(right),
  words: [],
})

test('groups consecutive equal blocks into one row, and gives every other change its own', () => {
  const changes = [
    change('same', 'a', 'A'),
    change('same', 'b', 'B'),
    change('changed', 'c', 'C'),
    change('left-only', 'd', ''),
    change('same', 'e', 'E'),
  ]
  const rows = compareRows(changes)
  expect(rows.map((row) => (row.type === 'same' ? row.changes.length : row.change.kind))).toEqual([
    2,
    'changed',
    'left-only',
    1,
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(4)
  expect(countKinds(changes)).toEqual({
    same: 3,
    changed: 1,
    moved: 0,
    'left-only': 1,
    'right-only': 0,
  })
  expect(compareRows([])).toEqual([])
})

test('marks each side’s own words, and none if the words were not compared', () => {
  const words = [
    { text: 'The ', side: 'both' },
    { text: 'red ', side: 'left' },
    { text: 'blue ', side: 'right' },
    { text: 'house', side: 'both' },
    { text: '.', side: 'both' },
  ] as const
  expect(sideParts(words, 'left')).toEqual([
    { text: 'The ', own: false },
    { text: 'red ', own: true },
    { text: 'house.', own: false },
  ])
  expect(sideParts(words, 'right')).toEqual([
    { text: 'The ', own: false },
    { text: 'blue ', own: true },
    { text: 'house.', own: false },
  ])
  expect(sideParts(null, 'left')).toBeNull()
  expect(sideParts([], 'right')).toBeNull()
})
