import { expect, test } from 'vitest'
import {
  filterRequest,
  noFilter,
  searchFilter,
} from '../../../../src/renderer/src/domains/library/entries/filter.ts'

test('covers whole local days, from start to end', () => {
  const custom = { ...noFilter, period: 'custom' } as const
  const { from, to } = filterRequest({ ...custom, from: '2026-03-01', to: '2026-03-01' }, null)
  expect(from).toBe(new Date(2026, 2, 1).getTime())
  expect(to).toBe(new Date(2026, 2, 2).getTime())
  expect(filterRequest({ ...custom, from: '1900-01-01' }, null).from).toBe(0)
})

test('counts a period in days up to today', () => {
  const today = new Date(new Date().setHours(0, 0, 0, 0))
  expect(filterRequest({ ...noFilter, period: 'today' }, null).from).toBe(today.getTime())
  const week = new Date(today).setDate(today.getDate() - 6)
  expect(filterRequest({ ...noFilter, period: 'week', from: '2026-03-01' }, null)).toEqual({
    order: 'newest',
    from: week,
  })
})

test('lists what the user made, and data of providers on request or once its type is chosen', () => {
  const { kinds = [] } = filterRequest(noFilter, ['always'])
  expect(kinds).toEqual(expect.arrayContaining(['meeting', 'voice', 'base', 'picture', 'slides']))
  for (const kind of ['run', 'upload', 'listed', 'source', 'highlight'] as const)
    expect(kinds).not.toContain(kind)
  expect(filterRequest(noFilter, ['always', 'chosen']).kinds).toContain('highlight')
  expect(filterRequest({ ...noFilter, kind: 'run' }, ['always']).kinds).toEqual(['run'])
})

test('omits unset filters from the request', () => {
  expect(filterRequest(noFilter, null)).toEqual({ order: 'newest' })
  expect(
    filterRequest({ ...noFilter, kind: 'run', tag: 'field', from: '2026-03-01' }, null),
  ).toEqual({
    order: 'newest',
    kinds: ['run'],
    tag: 'field',
  })
})

test('searches text in items only and finds nothing of other kinds', () => {
  expect(searchFilter(filterRequest({ ...noFilter, kind: 'task' }, null))).toBeNull()
  expect(searchFilter(filterRequest({ ...noFilter, kind: 'meeting', tag: 'x' }, null))).toEqual({
    kinds: ['meeting'],
    tag: 'x',
  })
})
