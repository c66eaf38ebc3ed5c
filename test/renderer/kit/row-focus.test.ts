import { expect, test } from 'vitest'
import { isDelete, pathAfter, rowAfter } from '../../../src/renderer/src/kit/row-focus.ts'

const ids = ['a', 'b', 'c', 'd']

test('moves the focus to the row after removed ones, at the end to the row before', () => {
  expect(rowAfter(ids, new Set(['b']))).toBe('c')
  expect(rowAfter(ids, new Set(['d']))).toBe('c')
  expect(rowAfter(ids, new Set(['a', 'c']))).toBe('d')
  expect(rowAfter(ids, new Set(['c', 'd']))).toBe('b')
  expect(rowAfter(ids, new Set(ids))).toBeNull()
  expect(rowAfter([], new Set(['a']))).toBeNull()
})

test('opens the row after a removed one, or the list without rows', () => {
  expect(pathAfter('/chats', ids, 'b')).toBe('/chats/c')
  expect(pathAfter('/chats', ids, 'd')).toBe('/chats/c')
  expect(pathAfter('/chats', ['a'], 'a')).toBe('/chats')
})

test('deletes with Delete alone, not with Backspace or modifiers', () => {
  const press = (key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent =>
    Object.assign(new Event('keydown'), {
      key,
      repeat: false,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...more,
    }) as KeyboardEvent
  expect(isDelete(press('Delete'))).toBe(true)
  expect(isDelete(press('Backspace'))).toBe(false)
  expect(isDelete(press('Delete', { ctrlKey: true }))).toBe(false)
  expect(isDelete(press('Delete', { repeat: true }))).toBe(false)
  expect(isDelete(press('Delete', { shiftKey: true }))).toBe(false)
})
