import { expect, test } from 'vitest'
import { engineNotices, noticeParts } from '../../src/shared/provider/engine-notices.ts'
import { noticeOf } from '../../src/local-service/endpoints/notices.ts'

const outcome = {
  text: 'words',
  silent: false,
  confidence: -2,
  tokens: 3,
  seconds: 1,
  tookMs: 1,
  endless: false,
}

test('splits an engine notice into sentences the page can localize', () => {
  const notice = noticeOf(outcome, { prompt: true, hotwords: false, longPrompt: true })
  expect(noticeParts(notice ?? '')).toEqual([
    { known: 'uncertain' },
    { known: 'promptUnused' },
    { known: 'promptLong' },
  ])
})

test('keeps the text of another provider unchanged', () => {
  expect(noticeParts('  A word of their own. ')).toEqual([{ text: 'A word of their own.' }])
  expect(noticeParts(`${engineNotices.silent} And more.`)).toEqual([
    { known: 'silent' },
    { text: 'And more.' },
  ])
  expect(noticeParts('')).toEqual([])
})
