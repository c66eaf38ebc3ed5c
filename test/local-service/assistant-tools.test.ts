import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculate, findSum, NoSum } from '../../src/local-service/assistants/calculator.ts'
import { countTokens, cutToTokens } from '../../src/local-service/assistants/count-tokens.ts'
import { checkGrammar } from '../../src/local-service/assistants/grammar.ts'
import { languageOf } from '../../src/local-service/assistants/language.ts'
import { flattened, outlineOf } from '../../src/local-service/assistants/outline.ts'
import { sentencesOf } from '../../src/local-service/assistants/sentences.ts'

test.each<[string, number]>([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['2 ^ 3 ^ 2', 512],
  ['-2 ^ 2', -4],
  ['10 - 4 - 3', 3],
  ['7 % 4', 3],
  ['200 * 15%', 30],
  ['1,250 × 2 ÷ 5', 500],
  ['max(1, 2, 3) + min(4, 5)', 7],
  ['sqrt(16) + abs(-2)', 6],
  ['1.5e3 + .5', 1500.5],
])('%s is %d', (text, value) => {
  expect(calculate(text)).toBeCloseTo(value, 9)
})

test.each(['', '1 +', '(1', '1)', '1 / 0', 'process', 'constructor(1)', '1; 2', '('.repeat(100)])(
  '"%s" is not a calculation',
  (text) => {
    expect(() => calculate(text)).toThrow(NoSum)
  },
)

test('evaluates any text to a number or to nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('0123456789+-*/%^(). ae,')) }),
      (text) => {
        try {
          expect(Number.isFinite(calculate(text))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(NoSum)
        }
      },
    ),
  )
})

test('finds a calculation in a question and ignores dates and counts', () => {
  expect(findSum('What is 12 * 12, please?')).toEqual({ text: '12 * 12', value: 144 })
  expect(findSum('In 2024 we were 5.')).toBeUndefined()
  // A part of the requested sum would be a wrong answer.
  const all = '(1250+380)*1.19/0'
  expect(findSum(all)).toEqual({ text: all, value: null })
  expect(findSum('What is 10/0?')).toEqual({ text: '10/0', value: null })
  expect(findSum('and (1+2')).toEqual({ text: '(1+2', value: null })
})

test('preserves every entry of an outline once, whatever its shape', () => {
  const line = fc.tuple(
    fc.constantFrom('', '- ', '1. ', '  - ', '    * ', '# ', '## ', '\t'),
    fc.string({ unit: fc.constantFrom(...Array.from('abcdef字')), minLength: 2, maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const outline = outlineOf(lines.map(([mark, text]) => mark + text).join('\n'))
      expect(flattened(outline).map(({ text }) => text)).toEqual(lines.map(([, text]) => text))
    }),
  )
})

test('splits sentences without losing anything but spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab .!?。，,字\n')) }), (text) => {
      const letters = (from: string): string => from.replace(/[^ab字]/g, '')
      expect(letters(sentencesOf(text).join(''))).toBe(letters(text))
    }),
  )
  expect(sentencesOf('Dr. Smith came. He left.')).toEqual(['Dr. Smith came.', 'He left.'])
})

test('truncates a text to a prefix with at most the given number of tokens', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 20 }), (text, maxTokens) => {
      const cut = cutToTokens(text, maxTokens)
      expect(text.startsWith(cut)).toBe(true)
      expect(countTokens(cut)).toBeLessThanOrEqual(maxTokens)
    }),
  )
})

test('detects the language of most of the words in a text', () => {
  expect(languageOf('What about 办公室?')).toBe('zh')
  expect(languageOf('GPT 的成本是多少')).toBe('zh')
  expect(languageOf('What does 好 mean in this text?')).toBe('en')
})

test.each([
  'A university is not an hour away.',
  'He said that that was fine.',
  'An MRI and a UFO were seen.',
  'The dog wagged its tail, and it is old.',
  'See e.g. the first page.',
  'Options a or b.',
])('finds no error in "%s"', (text) => {
  expect(checkGrammar(text).errors).toEqual([])
})
