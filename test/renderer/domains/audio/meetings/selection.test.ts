import { expect, test } from 'vitest'
import {
  canMerge,
  choose,
  preserveKnown,
  noSelection,
} from '../../../../../src/renderer/src/domains/audio/meetings/selection.ts'
import { lineOf, segmentOf } from './side-data.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const idsOf = ({ ids }: { readonly ids: ReadonlySet<string> }): string[] => [...ids]

test('selects one line on click, toggles with Ctrl and extends with Shift', () => {
  const one = choose(noSelection, order, 'b', 'one')
  expect(idsOf(one)).toEqual(['b'])
  const range = choose(one, order, 'd', 'range')
  expect(idsOf(range)).toEqual(['b', 'c', 'd'])
  expect(idsOf(choose(range, order, 'a', 'range'))).toEqual(['a', 'b'])
  const more = choose(range, order, 'e', 'toggle')
  expect(idsOf(more)).toEqual(['b', 'c', 'd', 'e'])
  expect(idsOf(choose(more, order, 'c', 'toggle'))).toEqual(['b', 'd', 'e'])
})

test('selects only the line for a range without a start', () => {
  expect(idsOf(choose(noSelection, order, 'c', 'range'))).toEqual(['c'])
  const gone = { ids: new Set(['x']), anchor: 'x' }
  expect(idsOf(choose(gone, order, 'c', 'range'))).toEqual(['c'])
})

test('deselects removed lines and continues a range from a remaining one', () => {
  const chosen = choose(choose(noSelection, order, 'b', 'one'), order, 'd', 'range')
  const preserved = preserveKnown(chosen, new Set(['c', 'd']))
  expect(idsOf(preserved)).toEqual(['c', 'd'])
  expect(idsOf(choose(preserved, order, 'e', 'range'))).toEqual(['c', 'd', 'e'])
  expect(preserveKnown(chosen, new Set(order))).toBe(chosen)
  expect(preserveKnown(chosen, new Set()).anchor).toBeNull()
})

const mic = segmentOf('m', 0)
const others = segmentOf('o', 0, { channel: 1 })
const lines = [
  lineOf('1', mic, 'One'),
  lineOf('2', others, 'Two'),
  lineOf('3', mic, 'Three'),
  lineOf('4', mic, 'Four'),
]
const picked = (...ids: string[]) => lines.filter(({ id }) => ids.includes(id))

test('merges consecutive lines of one channel, whoever speaks on the other in between', () => {
  expect(canMerge(lines, picked('1', '3'))).toBe(true)
  expect(canMerge(lines, picked('1', '3', '4'))).toBe(true)
  expect(canMerge(lines, picked('1', '4'))).toBe(false)
  expect(canMerge(lines, picked('1', '2'))).toBe(false)
  expect(canMerge(lines, picked('1'))).toBe(false)
  expect(canMerge(lines, [])).toBe(false)
})

test('merges lines of one speaker across channels', () => {
  const same = lines.map((line) => ({ ...line, speakerId: 's1' }))
  expect(canMerge(same, same.slice(0, 2))).toBe(true)
  expect(
    canMerge(
      same,
      same.filter(({ id }) => id === '1' || id === '4'),
    ),
  ).toBe(false)
})
