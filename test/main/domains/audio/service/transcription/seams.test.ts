import { expect, test } from 'vitest'
import {
  findSeam,
  withoutFalseCapital,
} from '../../../../../../src/main/domains/audio/service/transcription/seams.ts'

const dropped = (left: string, right: string) => {
  const { rightFrom, unsure } = findSeam(left, right)
  return { rest: right.slice(rightFrom), unsure }
}

test('words transcribed on both sides of a cut appear once', () => {
  expect(dropped('and then we went to the station', 'to the station and took a train')).toEqual({
    rest: ' and took a train',
    unsure: false,
  })
  expect(dropped('because we talked about the Budget,', 'The budget, which is too small')).toEqual({
    rest: ', which is too small',
    unsure: false,
  })
  expect(dropped('然后我们讨论新办公室的预算', '办公室的预算，并且决定')).toEqual({
    rest: '，并且决定',
    unsure: false,
  })
})

test('one letter may differ in a long word, not in a short one', () => {
  expect(dropped('we met at the stations', 'the station was empty').rest).toBe(' was empty')
  expect(dropped('the big cat', 'the big car').rest).toBe('the big car')
})

test('never removes a single word, nor words that are only nearby', () => {
  expect(dropped('how many', 'Many people came')).toEqual({
    rest: 'Many people came',
    unsure: false,
  })
  expect(dropped('we need the budget', 'budget talks begin')).toEqual({
    rest: 'budget talks begin',
    unsure: true,
  })
  expect(dropped('预算', '算了吧')).toMatchObject({ rest: '算了吧' })
  expect(dropped('to the station and', 'to the station we went')).toEqual({
    rest: 'to the station we went',
    unsure: true,
  })
  expect(dropped('something else entirely', 'nothing to see here')).toEqual({
    rest: 'nothing to see here',
    unsure: false,
  })
})

test('compares at most six words', () => {
  const words = 'one two three four five six seven eight'
  expect(dropped(words, words).unsure).toBe(false)
  expect(dropped(words, words).rest).toBe(words)
})

test('finds the same from the other side: where the copy starts on the left', () => {
  const left = 'and then we went to the station'
  expect(left.slice(0, findSeam(left, 'to the station and took').leftTo)).toBe('and then we went ')
})

test('removes a false capital, but keeps that of a name or a true beginning', () => {
  expect(withoutFalseCapital('and then', 'The train came')).toBe('the train came')
  expect(withoutFalseCapital('and then', 'Anna came')).toBe('Anna came')
  expect(withoutFalseCapital('and then', 'I came')).toBe('I came')
  expect(withoutFalseCapital('It was late.', 'The train came')).toBe('The train came')
  expect(withoutFalseCapital('“It was late.”', 'The train came')).toBe('The train came')
  expect(withoutFalseCapital('', 'The train came')).toBe('The train came')
})
