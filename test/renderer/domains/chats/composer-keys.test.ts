import { expect, test } from 'vitest'
import {
  createComposing,
  enterDoes,
  type KeyPress,
} from '../../../../src/renderer/src/domains/chats/composer/enter-key.ts'

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

test('sends with Enter and breaks lines with Shift+Enter, or vice versa; Ctrl/Cmd always sends', () => {
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

test('sends once while a key is held down, and keeps adding lines', () => {
  expect(enterDoes(press({ repeat: true }), true)).toBe(null)
  expect(enterDoes(press({ repeat: true, shiftKey: true }), true)).toBe('line')
})

test('ignores the composing Enter of an input method in Chromium, and handles the next one', () => {
  const composing = createComposing()
  composing.start()
  expect(composing.owns(press({ isComposing: true, keyCode: 229 }))).toBe(true)
  composing.end({ timeStamp: 1001 })
  composing.released()
  expect(composing.owns(press({ timeStamp: 1040 }))).toBe(false)
})

test('ignores the Enter of an input method after its end by key code, in Safari', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ keyCode: 229, timeStamp: 1001 }))).toBe(true)
  composing.released()
  expect(composing.owns(press({ timeStamp: 1030 }))).toBe(false)
})

test('ignores an Enter immediately after the end of composition in other browsers', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ timeStamp: 1004 }))).toBe(true)
  // Only that one: the next belongs to the user, however soon.
  expect(composing.owns(press({ timeStamp: 1010 }))).toBe(false)
})

test('ignores a composition that ended long ago or by losing focus', () => {
  const composing = createComposing()
  composing.start()
  composing.end({ timeStamp: 1000 })
  expect(composing.owns(press({ timeStamp: 1500 }))).toBe(false)
  composing.start()
  composing.left()
  expect(composing.owns(press({ timeStamp: 1600 }))).toBe(false)
})

test('treats any key during composition as part of it, also if the event does not say so', () => {
  const composing = createComposing()
  composing.start()
  expect(composing.owns(press({ key: 'ArrowDown', keyCode: 40 }))).toBe(true)
})
