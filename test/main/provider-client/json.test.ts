import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deepestJson, maxJsonValues, parseJson } from '../../../src/main/provider-client/json.ts'
import { readLayout } from '../../../src/main/provider-client/layout-response.ts'

test('parses any JSON of moderate size unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value)
      // Long enough to be checked before it is parsed.
      const long = `{"a":${text},"b":"${'\\"[{,\\\\'.repeat(300)}"}`
      expect(parseJson(long)).toEqual(JSON.parse(long))
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
    { seed: 5, numRuns: 300 },
  )
  expect(parseJson('{')).toBeUndefined()
  expect(parseJson(`["${'x'.repeat(5000)}`)).toBeUndefined()
})

test('rejects JSON with excessive nesting or too many values before parsing', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
  expect(parseJson(deep(deepestJson))).toBeInstanceOf(Array)
  for (const levels of [deepestJson + 1, 600, 3_000_000])
    expect(parseJson(deep(levels))).toBeUndefined()
  expect(parseJson(`[${'0,'.repeat(maxJsonValues - 1)}0]`)).toHaveLength(maxJsonValues)
  expect(parseJson(`[${'0,'.repeat(maxJsonValues)}0]`)).toBeUndefined()
  expect(parseJson(`[${'{},'.repeat(3_000_000)}{}]`)).toBeUndefined()
  // Brackets within strings are not values.
  expect(parseJson(`["${'[{,'.repeat(1_000_000)}"]`)).toHaveLength(1)
})

test('parses a block with any box and any label', () => {
  const read = (block: object) =>
    readLayout({ layout_details: [[block]], md_results: '' }, 'model').pages[0]?.[0]
  expect(read({ bbox_2d: Array.from({ length: 500_000 }, () => 1) })?.bbox).toBeNull()
  expect(read({ bbox_2d: [0, 0, 9, 0, 9, 7, 0, 7] })?.bbox).toEqual([0, 0, 9, 7])
  expect(read({ label: 'a'.repeat(1_000_000), native_label: 'b'.repeat(1_000_000) })).toMatchObject(
    { label: 'a'.repeat(100), nativeLabel: 'b'.repeat(100) },
  )
})
