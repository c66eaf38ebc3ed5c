import { expect, test } from 'vitest'
import type { SearchHit } from '../../../../src/shared/model/library.ts'
import { isRemoveKey } from '../../../../src/renderer/src/kit/remove-key.ts'
import { hitLocation } from '../../../../src/renderer/src/domains/library/search/link.ts'
import { sentenceGap } from '../../../../src/renderer/src/i18n/format.ts'
import { now } from '../../fake-data.ts'

const hit: SearchHit = {
  itemId: 'speech',
  kind: 'meeting',
  title: 'Budget',
  field: 'transcript',
  partId: 't-speech-1',
  snippet: 'the budget of',
  ranges: [[4, 10]],
  offset: 120,
  createdAt: now,
}

test('opens a text match at its line, and a title match without a search', () => {
  expect(hitLocation(hit, 'budget')).toEqual({
    name: 'meetings',
    params: { id: 'speech' },
    query: { q: 'budget', line: 't-speech-1' },
  })
  expect(hitLocation({ ...hit, field: 'title', partId: null }, 'budget')).toEqual({
    name: 'meetings',
    params: { id: 'speech' },
  })
})

const press = (key: string, more: Partial<Parameters<typeof isRemoveKey>[0]> = {}) => ({
  key,
  repeat: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
})

test('deletes once with Delete alone; with Backspace only where it is the delete key', () => {
  expect(isRemoveKey(press('Delete'), false)).toBe(true)
  expect(isRemoveKey(press('Delete', { repeat: true }), false)).toBe(false)
  expect(isRemoveKey(press('Delete', { ctrlKey: true }), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), true)).toBe(true)
})

test('joins Chinese sentences without a space', () => {
  expect(['一。', '二。'].join(sentenceGap('zh'))).toBe('一。二。')
  expect(['One.', 'Two.'].join(sentenceGap('en'))).toBe('One. Two.')
})
