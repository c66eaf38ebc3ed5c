import { expect, test } from 'vitest'
import { partsForQuestion } from '../../../src/shared/text/question-parts.ts'

/** Chooses among texts, whose size is their number of words. */
function chosen(texts: readonly string[], question: string, maxTokens: number): readonly number[] {
  const { sharedBy, choose } = partsForQuestion(question)
  const parts = texts.map((text) => ({ tokens: text.split(' ').length, shared: sharedBy(text) }))
  return choose(parts, maxTokens)
}
const filler = (at: number) => `They talked about subject ${at} and the weather for a while`
/** Returns a text of 200 parts with these among them. */
const textWith = (places: Readonly<Record<number, string>>) =>
  Array.from({ length: 200 }, (_, at) => places[at] ?? filler(at))

test('takes all parts of a text that fits, whatever the question', () => {
  expect(chosen([filler(0), filler(1)], 'Budget?', 100)).toEqual([0, 1])
})

test('takes the parts about the question with those next to them, in order', () => {
  const texts = textWith({ 150: 'The budget is nine thousand', 40: 'We need a budget soon' })
  expect(chosen(texts, 'How large is the budget?', 54)).toEqual([39, 40, 41, 149, 150, 151])
})

test('fills the rest from the beginning, so that a general question gets more than one page', () => {
  const texts = textWith({ 150: 'This document was printed twice' })
  const found = chosen(texts, 'Summarize this document', 1100)
  expect(found).toContain(150)
  expect(found.length).toBeGreaterThan(90)
  expect(found.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, at) => at))
})

test('takes the best parts if not all about the question fit', () => {
  const texts = textWith({ 10: 'budget', 20: 'budget budget budget budget budget budget' })
  expect(chosen(texts, 'Budget?', 6)).not.toContain(11)
  expect(chosen(texts, 'Budget?', 1)).toEqual([10])
})

test('finds Chinese words', () => {
  const texts = textWith({ 77: '预算 是 九千 元' })
  expect(chosen(texts, '预算是多少？', 26)).toEqual([76, 77, 78])
})

test('takes the first parts if none shares a word with the question', () => {
  expect(chosen(textWith({}), 'Summarize.', 25)).toEqual([0, 1])
  expect(chosen(textWith({}), '', 25)).toEqual([0, 1])
  expect(chosen(textWith({}), 'Budget?', 1)).toEqual([])
})
