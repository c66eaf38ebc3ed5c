import { expect, test } from 'vitest'
import {
  movesFor,
  type Queued,
} from '../../../../src/renderer/src/domains/library/jobs/queue-order.ts'

const queue = (...priorities: readonly number[]): readonly Queued[] =>
  priorities.map((priority, at) => ({ id: 'abcdef'.charAt(at), priority }))
/** Returns the order of a queue after some changes: by number, then by age. */
const after = (before: readonly Queued[], ages: string, moves: readonly Queued[]): string =>
  before
    .map((one) => moves.find(({ id }) => id === one.id) ?? one)
    .toSorted((a, b) => a.priority - b.priority || ages.indexOf(a.id) - ages.indexOf(b.id))
    .map(({ id }) => id)
    .join('')

test('moves an entry before or after all others with a single change', () => {
  expect(movesFor(queue(0, 0, 0), 'c', 'first')).toEqual([{ id: 'c', priority: -1 }])
  expect(movesFor(queue(-1, 0, 4), 'a', 'last')).toEqual([{ id: 'a', priority: 5 }])
  expect(after(queue(0, 0, 0), 'abc', movesFor(queue(0, 0, 0), 'b', 'first'))).toBe('bac')
})

test('changes nothing for an entry that is already there, alone, or missing', () => {
  expect(movesFor(queue(0, 0), 'a', 'first')).toEqual([])
  expect(movesFor(queue(0, 0), 'b', 'last')).toEqual([])
  expect(movesFor(queue(0), 'a', 'first')).toEqual([])
  expect(movesFor(queue(0, 0), 'z', 'first')).toEqual([])
})

test('renumbers all entries in the intended order when the numbers are exhausted', () => {
  const full = queue(-1000, -1000, 3)
  const moves = movesFor(full, 'c', 'first')
  expect(moves.every(({ priority }) => Math.abs(priority) <= 1000)).toBe(true)
  expect(after(full, 'abc', moves)).toBe('cab')
  const end = queue(0, 1000)
  expect(after(end, 'ab', movesFor(end, 'a', 'last'))).toBe('ba')
})
