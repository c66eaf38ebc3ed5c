import { expect, test } from 'vitest'
import { engineNames } from '../../../src/shared/provider/engine-names.ts'
import { engineNotices } from '../../../src/shared/provider/engine-notices.ts'
import { fillSentence } from '../../../src/shared/provider/sentences.ts'
import { engines as en } from '../../../src/renderer/src/i18n/en/engines.ts'
import {
  answerNoticeText,
  engineText,
  noticeText,
} from '../../../src/renderer/src/i18n/engine-labels.ts'
import { namesIn } from '../../../src/renderer/src/i18n/failure.ts'
import { engines as zh } from '../../../src/renderer/src/i18n/zh/engines.ts'

type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>
const from =
  (catalogue: Catalogue) =>
  (key: string, named: Record<string, unknown>): string => {
    const [group = '', name = ''] = key.split('.')
    const values = Object.entries(named).map(([one, value]) => [one, String(value)] as const)
    return fillSentence(catalogue[group]?.[name] ?? key, Object.fromEntries(values))
  }
const chinese = (notice: string): string => noticeText(notice, from(zh), 'zh-CN')

test('recognizes every notice of this computer, alone and among others, with its values', () => {
  for (const [name, sentence] of Object.entries(engineNotices)) {
    const values = Object.fromEntries(namesIn(sentence).map((one) => [one, '1.5 and 7']))
    const message = chinese(`Foreign words. ${fillSentence(sentence, values)} More of them.`)
    expect([name, message.startsWith('Foreign words.')]).toEqual([name, true])
    expect([name, message.endsWith('More of them.')]).toEqual([name, true])
    expect([name, /\p{sc=Han}/u.test(message)]).toEqual([name, true])
    expect([name, message.includes('{')]).toEqual([name, false])
  }
})

test('lists pages as the language does', () => {
  const notice =
    'Text on pages 1, 2, and 5–9 was recognized from images and may have errors. Usage is estimated.'
  expect(chinese(notice)).toBe('第 1、2、5–9 页的文字由图片识别，可能有错字。用量为估算值。')
  expect(noticeText(notice, from(en), 'en')).toBe(
    'Text on pages 1, 2, and 5–9 was recognized from images and may have errors. Usage is estimated.',
  )
})

test('separates what is about one answer from what its engine can do at all', () => {
  const notice = [engineNotices.quotesPassages, engineNotices.imageEmpty, 'Try again.'].join(' ')
  expect(answerNoticeText(notice, from(en), 'en')).toBe('No text found in the image. Try again.')
  expect(answerNoticeText(engineNotices.quotesByWords, from(zh), 'zh-CN')).toBe('')
})

test('prefers the longer of two sentences with the same beginning', () => {
  expect(chinese(engineNotices.quotesByWords)).toBe(zh.engineNotices.quotesByWords)
  expect(chinese(engineNotices.quotes)).toBe(zh.engineNotices.quotes)
})

test('names engines of this computer and their dependencies in both languages', () => {
  const names = Object.values(engineNames).map((name) => fillSentence(name, { engine: 'X 2.0' }))
  for (const name of names) {
    const shown = engineText(name, from(en))
    expect([name, Object.values(en.engineNames).some((one) => one === shown)]).toEqual([
      name,
      !name.includes('X 2.0'),
    ])
    expect([name, shown.includes('{')]).toEqual([name, false])
  }
  expect(engineText(fillSentence(engineNames.quotes, { engine: engineNames.text }), from(zh))).toBe(
    '资料库引文 · Universal Sentence Encoder lite（英语）',
  )
  expect(engineText('asr-large-v2', from(zh))).toBe('asr-large-v2')
})
