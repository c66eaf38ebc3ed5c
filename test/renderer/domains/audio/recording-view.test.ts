import { expect, test, vi } from 'vitest'
import { effectScope, ref } from 'vue'
import type { SearchHit } from '../../../../src/shared/model/library.ts'
import { useSecondsLeft } from '../../../../src/renderer/src/domains/audio/recordings/composables.ts'
import { isRemoveKey } from '../../../../src/renderer/src/kit/remove-key.ts'
import { versionLabels } from '../../../../src/renderer/src/domains/audio/recordings/version-labels.ts'
import { hitLocation } from '../../../../src/renderer/src/domains/library/search/link.ts'
import { formatMoment, sentenceGap } from '../../../../src/renderer/src/i18n/format.ts'
import { now, transcript } from '../../fake-data.ts'

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

test('opens a text match at its version and position, and a title match without a search', () => {
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

test('deletes once with Delete alone; with Backspace only where it is the delete key', () => {
  expect(isRemoveKey(press('Delete'), false)).toBe(true)
  expect(isRemoveKey(press('Delete', { repeat: true }), false)).toBe(false)
  expect(isRemoveKey(press('Delete', { ctrlKey: true }), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), false)).toBe(false)
  expect(isRemoveKey(press('Backspace'), true)).toBe(true)
})

const writer = {
  t: (key: string, named: Record<string, unknown>) =>
    key === 'recording.newest' ? `${String(named['time'])} (latest)` : key,
  moment: (at: number) => formatMoment(at, 'en', now),
}

test('distinguishes versions created seconds apart, with their problems', () => {
  const older = transcript('t-1', 'speech', 'And so', { state: 'partial', model: '' })
  const newer = transcript('t-2', 'speech', '', {
    state: 'no-speech',
    createdAt: older.createdAt + 1000,
  })
  const [first, second] = [versionLabels(newer, true, writer), versionLabels(older, false, writer)]
  expect(first.time).toMatch(/\(latest\)$/)
  expect(first.time.replace(' (latest)', '')).not.toBe(second.time)
  expect(first.rest).toEqual(['recording.speechless', 'moonshine-tiny-en'])
  expect(second.rest).toEqual(['recording.unfinished'])
})

test('counts the seconds to the next attempt down to zero', () => {
  vi.useFakeTimers({ now })
  const scope = effectScope()
  const until = ref<number | null>(now + 2500)
  const left = scope.run(() => useSecondsLeft(() => until.value))
  expect(left?.value).toBe(3)
  vi.advanceTimersByTime(1500)
  expect(left?.value).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(left?.value).toBe(0)
  until.value = null
  expect(left?.value).toBeNull()
  scope.stop()
  vi.useRealTimers()
})

test('joins Chinese sentences without a space', () => {
  expect(['一。', '二。'].join(sentenceGap('zh'))).toBe('一。二。')
  expect(['One.', 'Two.'].join(sentenceGap('en'))).toBe('One. Two.')
})
