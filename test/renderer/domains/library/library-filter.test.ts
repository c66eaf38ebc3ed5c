import { expect, test } from 'vitest'
import {
  filterRequest,
  noFilter,
  searchFilter,
} from '../../../../src/renderer/src/domains/library/entries/filter.ts'

test('covers whole local days, from start to end', () => {
  const { from, to } = filterRequest({ ...noFilter, from: '2026-03-01', to: '2026-03-01' })
  expect(from).toBe(new Date(2026, 2, 1).getTime())
  expect(to).toBe(new Date(2026, 2, 2).getTime())
  expect(filterRequest({ ...noFilter, from: '1900-01-01' }).from).toBe(0)
})

test('omits unset filters from the request', () => {
  expect(filterRequest(noFilter)).toEqual({ order: 'newest' })
  expect(filterRequest({ ...noFilter, kind: 'run', tag: 'field', from: 'soon' })).toEqual({
    order: 'newest',
    kinds: ['run'],
    tag: 'field',
  })
})

test('searches text in items only and finds nothing of other kinds', () => {
  expect(searchFilter(filterRequest({ ...noFilter, kind: 'task' }))).toBeNull()
  expect(searchFilter(filterRequest({ ...noFilter, kind: 'meeting', tag: 'x' }))).toEqual({
    kinds: ['meeting'],
    tag: 'x',
  })
})
