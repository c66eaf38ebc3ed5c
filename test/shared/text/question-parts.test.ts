import { expect, test } from 'vitest'
import { partsForQuestion } from '../../../src/shared/text/question-parts.ts'

const part = (text: string) => ({ text, tokens: text.split(' ').length })
const filler = (at: number) => part(`They talked about subject ${at} and the weather for a while`)
/** Returns a text of parts with the given ones among 200 others. */
function textWith(places: Readonly<Record<number, string>>) {
  return Array.from({ length: 200 }, (_, at) => {
    const own = places[at]
    return own === undefined ? filler(at) : part(own)
  })
}

test('takes all parts of a text that fits, whatever the question', () => {
  expect(partsForQuestion([filler(0), filler(1)], 'Budget?', 100)).toEqual([0, 1])
})

test('takes the parts about the question with those next to them, in order', () => {
  const parts = textWith({ 150: 'The budget is nine thousand', 40: 'We need a budget soon' })
  expect(partsForQuestion(parts, 'How large is the budget?', 100)).toEqual([
    39, 40, 41, 149, 150, 151,
  ])
})

test('leaves out parts that share only frequent words with the question, even if there is room', () => {
  const parts = textWith({ 150: 'The budget for the weather station' })
  expect(partsForQuestion(parts, 'What about the weather budget?', 1900)).toEqual([149, 150, 151])
})

test('takes the best parts if not all about the question fit', () => {
  const parts = textWith({ 10: 'budget', 20: 'budget budget budget budget budget budget' })
  expect(partsForQuestion(parts, 'Budget?', 6)).not.toContain(11)
  expect(partsForQuestion(parts, 'Budget?', 1)).toEqual([10])
})

test('finds Chinese words', () => {
  const parts = textWith({ 77: '预算 是 九千 元' })
  expect(partsForQuestion(parts, '预算是多少？', 30)).toEqual([76, 77, 78])
})

test('takes the first parts if none shares a word with the question', () => {
  expect(partsForQuestion(textWith({}), 'Summarize.', 25)).toEqual([0, 1])
  expect(partsForQuestion(textWith({}), '', 25)).toEqual([0, 1])
  expect(partsForQuestion(textWith({}), 'Budget?', 1)).toEqual([])
})
