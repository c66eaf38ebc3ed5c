import { expect, test } from 'vitest'
import { idsIn } from '../../../../src/renderer/src/domains/playground/runs/ids-in.ts'
import {
  differences,
  maxDifferences,
} from '../../../../src/renderer/src/domains/playground/runs/run-differences.ts'

test('reports differences at the deepest level, regardless of field order', () => {
  expect(differences({ a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1 })).toEqual([])
  expect(differences({ a: 1, b: [1, { c: 'x' }] }, { a: 2, b: [1, { c: 'y' }, 3] })).toEqual([
    { path: 'a', one: 1, other: 2 },
    { path: 'b[1].c', one: 'x', other: 'y' },
    { path: 'b[2]', one: undefined, other: 3 },
  ])
  expect(differences(null, [])).toEqual([{ path: '', one: null, other: [] }])
  const many = Array.from({ length: 1000 }, (_, i) => i)
  expect(
    differences(
      many,
      many.map((i) => i + 1),
    ),
  ).toHaveLength(maxDifferences)
})

test.each([
  ['resp-1', ['resp-1']],
  ['resp-1, resp-2\nresp-1', ['resp-1', 'resp-2']],
  ['https://x.test/api/v1/responses/resp-1/input_items?limit=2', ['resp-1']],
  ['https://x.test/paas/v4/async-result/88%2E5', ['88.5']],
  ['/v1/responses/resp-1', ['resp-1']],
  ['{"id":"resp-1","output":[{"id":"msg-1"}]}', ['resp-1']],
  ['{"data":[{"id":"a"},{"task_id":"b"}]}', ['a', 'b']],
  ['["a","b"]', ['a', 'b']],
  ['"a"', ['a']],
  ['{"id":"not an id"}', []],
  ['{"id":', []],
  ['{"id":"resp-1","status":"completed","outp', ['resp-1']],
  ['', []],
])('finds IDs in %j', (text, ids) => {
  expect(idsIn(text, ['id', 'task_id'])).toEqual(ids)
})
