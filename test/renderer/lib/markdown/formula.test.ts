import { expect, test } from 'vitest'
import { isDeep } from '../../../../src/renderer/src/lib/markdown/formula.ts'

test('rejects formulas that are nested too deeply, with and without braces', () => {
  expect(isDeep('\\frac{a}{b} + x_1^2')).toBe(false)
  expect(isDeep('{'.repeat(60))).toBe(true)
  expect(isDeep('\\sqrt '.repeat(60))).toBe(true)
  expect(isDeep('x^'.repeat(80))).toBe(true)
  expect(isDeep(`${'^ \\a '.repeat(60)}x`)).toBe(true)
  expect(isDeep(`${'_ '.repeat(59)}1`)).toBe(false)
})

// Spaces that could be divided in several ways doubled the work with each character: some dozen characters froze the page.
test.each(['^  ', '_\n\n', '^ a ', '^ \\ ', '^\\a  '])(
  'parses characters with spaces between them in linear time: %j',
  (fragment) => {
    expect(isDeep(`${fragment.repeat(59)}${'!'.repeat(80)}`)).toBe(false)
    expect(isDeep(`${fragment.repeat(30)}1`.repeat(20))).toBe(false)
  },
)
