import { expect, test } from 'vitest'
import {
  createComposing,
  enterDoes,
  type KeyPress,
} from '../../../src/renderer/src/features/chats/composer/enter-key.ts'

const press = (more: Partial<KeyPress> = {}): KeyPress => ({
  key: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  timeStamp: 1000,
  ...more,
})

test('Enter sends and Shift+Enter begins a line, or the other way round; the command key always sends', () => {
  expect(enterDoes(press(), true)).toBe('send')
  expect(enterDoes(press({ shiftKey: true }), true)).toBe('line')
  expect(enterDoes(press(), false)).toBe('line')
  expect(enterDoes(press({ shiftKey: true }), false)).toBe('send')
  for (const enterSends of [true, false]) {
    expect(enterDoes(press({ ctrlKey: true }), enterSends)).toBe('send')
    expect(enterDoes(press({ metaKey: true }), enterSends)).toBe('send')
    expect(enterDoes(press({ altKey: true }), enterSends)).toBe(null)
  }
  expect(enterDoes(press({ key: 'a' }), true)).toBe(null)
})

test('a key that is held down sends once, and goes on beginning lines', () => {
  expect(enterDoes(press({ repeat: true }), true)).toBe(null)
  expect(enterDoes(press({ repeat: true, shiftKey: true }), true)).toBe('line')
})

test('Chromium: the Enter that takes a word is told while it composes, the next one is the writer’s', () => {
  const composing = createComposing()
  composing.start()
  expect(composing.owns(press({ isComposing: true, keyCode: 229 }))).toBe(true)
  composing.end({ timeStamp: 1001 })
  composing.released()
  expect(composing.owns(press({ timeStamp: 1040 }))).toBe(false)
})

test('Safari: the Enter that takes a word is told after its end, with the code of input methods', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ keyCode: 229, timeStamp: 1001 }))).toBe(true)
  composing.released()
  expect(composing.owns(press({ timeStamp: 1030 }))).toBe(false)
})

test('elsewhere the Enter after the end of a word looks like any other: it is known by coming at once', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ timeStamp: 1004 }))).toBe(true)
  // Only that one: the next is the writer's, however soon.
  expect(composing.owns(press({ timeStamp: 1010 }))).toBe(false)
})

test('a word that ended long ago, or with the focus, owns no key', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ timeStamp: 1500 }))).toBe(false)
  composing.start()
  composing.left()
  expect(composing.owns(press({ timeStamp: 1600 }))).toBe(false)
})

test('any key belongs to a word that is being composed, also where the event does not say so', () => {
  const composing = createComposing()
  composing.start()
  expect(composing.owns(press({ key: 'ArrowDown', keyCode: 40 }))).toBe(true)
})
