import { expect, test } from 'vitest'
import { engineNotices, noticeParts } from '../../src/shared/service/engine-notices.ts'
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

test('what the engine says is taken apart into sentences the page can tell in any language', () => {
  const notice = noticeOf(outcome, { prompt: true, hotwords: false, longPrompt: true })
  expect(noticeParts(notice ?? '')).toEqual([
    { known: 'uncertain' },
    { known: 'promptUnused' },
    { known: 'promptLong' },
  ])
})

test('what another service says stays as it was written', () => {
  expect(noticeParts('  A word of their own. ')).toEqual([{ text: 'A word of their own.' }])
  expect(noticeParts(`${engineNotices.silent} And more.`)).toEqual([
    { known: 'silent' },
    { text: 'And more.' },
  ])
  expect(noticeParts('')).toEqual([])
})
