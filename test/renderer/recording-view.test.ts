import { expect, test } from 'vitest'
import type { SearchHit } from '../../src/shared/model/library.ts'
import { isRemoveKey } from '../../src/renderer/src/features/recordings/remove-key.ts'
import { hitLocation } from '../../src/renderer/src/features/search/link.ts'
import { now } from './fake-data.ts'

const hit: SearchHit = {
  itemId: 'speech',
  kind: 'recording',
  title: 'Budget',
  field: 'transcript',
  partId: 't-speech-1',
  snippet: 'the budget of',
  ranges: [[4, 10]],
  offset: 120,
  createdAt: now,
}

test('a hit in the words opens its version at its place; one in the title opens no search', () => {
  expect(hitLocation(hit, 'budget')).toEqual({
    name: 'recordings',
    params: { id: 'speech' },
    query: { q: 'budget', part: 't-speech-1', at: '120' },
  })
  expect(hitLocation({ ...hit, field: 'title', partId: null }, 'budget')).toEqual({
    name: 'recordings',
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

test('Delete removes once, without other keys; Backspace only where that is the key for it', () => {
  expect(isRemoveKey(press('Delete'), false)).toBe(true)
  expect(isRemoveKey(press('Delete', { repeat: true }), false)).toBe(false)
  expect(isRemoveKey(press('Delete', { ctrlKey: true }), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), true)).toBe(true)
})
