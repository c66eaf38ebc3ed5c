import { expect, test } from 'vitest'
import { continuation, isContinuation, wordsLanguage } from '../../../src/shared/chats/continue.ts'

test('requests the rest in the language of the answer, in a form pages can detect', () => {
  expect(wordsLanguage('合同将于五月到期，需要')).toBe('zh')
  expect(wordsLanguage('The contract ends in May, 五月')).toBe('en')
  expect(wordsLanguage('')).toBe('en')
  for (const answer of ['The contract', '合同将于五月']) {
    const text = continuation(answer)
    expect(wordsLanguage(text)).toBe(wordsLanguage(answer))
    expect(isContinuation({ text, attachments: [] })).toBe(true)
    expect(isContinuation({ text, attachments: [{}] })).toBe(false)
  }
  expect(isContinuation({ text: 'Go on', attachments: [] })).toBe(false)
})
