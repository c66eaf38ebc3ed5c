import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  countWords,
  createSpeaker,
  writingMs,
  type Announcement,
} from '../../../../src/renderer/src/domains/chats/thread/announcements.ts'
import { answer, question, runningAnswer, turns } from './messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listener() {
  const announced: Announcement[] = []
  const speaker = createSpeaker((spoken) => void announced.push(spoken))
  return { speaker, keys: () => announced.map(({ key }) => key), announced }
}

test('announces an answer at its start, at intervals, and with its text at the end', () => {
  const { speaker, keys, announced } = listener()
  speaker.see(turns(2))
  const q = question('q', { parentId: 'm1', depth: 2 })
  const a = runningAnswer('a', { parentId: 'q', depth: 3 })
  speaker.see([...turns(2), q, a])
  expect(keys()).toEqual(['begins'])
  for (let count = 0; count < 200; count++)
    speaker.see([...turns(2), q, { ...a, text: 'word '.repeat(count) }])
  expect(keys()).toEqual(['begins'])
  vi.advanceTimersByTime(2 * writingMs)
  expect(keys()).toEqual(['begins', 'writing', 'writing'])
  speaker.see([...turns(2), q, answer('a', { text: 'Two words' })])
  expect(announced.at(-1)).toMatchObject({ key: 'finished', words: 2 })
  vi.advanceTimersByTime(5 * writingMs)
  expect(keys().length).toBe(4)
})

test('does not announce existing messages or those read while scrolling', () => {
  const { speaker, keys } = listener()
  const all = [...turns(40), answer('x', { state: 'failed', depth: 41 })]
  speaker.see(all.slice(20))
  speaker.see(all)
  expect(keys()).toEqual([])
})

test('announces a failure, a stop and a waiting question', () => {
  const { speaker, keys } = listener()
  speaker.see([question('q'), runningAnswer('a')])
  speaker.see([question('q'), answer('a', { state: 'broken' })])
  speaker.see([question('q'), answer('a', { state: 'broken' }), runningAnswer('b')])
  speaker.see([question('q'), answer('a', { state: 'broken' }), answer('b', { state: 'stopped' })])
  speaker.see([answer('b', { state: 'stopped' }), question('w', { state: 'waiting' })])
  expect(keys()).toEqual(['failed', 'begins', 'stopped', 'waiting'])
})

test('counts words in scripts with and without spaces', () => {
  expect(countWords('Bees find their way home.')).toBe(5)
  expect(countWords('蜜蜂回家')).toBe(4)
  expect(countWords('用 Lectern 写')).toBe(3)
  expect(countWords(' \n')).toBe(0)
  const signs = fc.constantFrom(
    'a',
    'é',
    ' ',
    '\n',
    '\u{3000}',
    '中',
    'あ',
    'ー',
    '。',
    '😀',
    '𠮷',
    '\u{D800}',
    '5',
    '-',
  )
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      const alone = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu) ?? []
      const spaced = text.match(/[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu) ?? []
      expect(countWords(text)).toBe(alone.length + spaced.length)
    }),
    { seed: 6, numRuns: 300 },
  )
})
