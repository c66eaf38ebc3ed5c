import { expect, test } from 'vitest'
import { isDeep } from '../../../src/renderer/src/markdown/formula.ts'

test('formulas that lie too deep in each other are told, with and without braces', () => {
  expect(isDeep('\\frac{a}{b} + x_1^2')).toBe(false)
  expect(isDeep('{'.repeat(60))).toBe(true)
  expect(isDeep('\\sqrt '.repeat(60))).toBe(true)
  expect(isDeep('x^'.repeat(80))).toBe(true)
  expect(isDeep(`${'^ \\a '.repeat(60)}x`)).toBe(true)
  expect(isDeep(`${'_ '.repeat(59)}1`)).toBe(false)
})

// Spaces that could be shared out in several ways doubled the work with each sign: some dozen signs stopped the page for good.
test.each(['^  ', '_\n\n', '^ a ', '^ \\ ', '^\\a  '])(
  'signs with spaces between them are read once: %j',
  (fragment) => {
    expect(isDeep(`${fragment.repeat(59)}${'!'.repeat(80)}`)).toBe(false)
    expect(isDeep(`${fragment.repeat(30)}1`.repeat(20))).toBe(false)
  },
)
