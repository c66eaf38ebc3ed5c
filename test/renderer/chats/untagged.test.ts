import { expect, test } from 'vitest'
import { untagged } from '../../../src/renderer/src/features/chats/search/untagged.ts'

test.each([
  ['plain font here', [[6, 10]], 'plain font here', ['font']],
  ['a <reference id="1">font</reference> b', [[20, 24]], 'a font b', ['font']],
  ['font.<reference id="1" x…', [[0, 4]], 'font.…', ['font']],
  ['…x</reference> font <ref…', [[15, 19]], '…x font …', ['font']],
  ['a <reference> b', [[3, 12]], 'a <reference> b', ['reference']],
  ['1 < 2 and font', [[10, 14]], '1 < 2 and font', ['font']],
] as const)('%j is shown without its marks', (text, ranges, shown, hit) => {
  const found = untagged(text, ranges)
  expect(found.text).toBe(shown)
  expect(found.ranges.map(([from, to]) => found.text.slice(from, to))).toEqual(hit)
})
