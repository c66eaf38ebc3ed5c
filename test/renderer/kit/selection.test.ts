import { expect, test } from 'vitest'
import { useSelection } from '../../../src/renderer/src/kit/use-selection.ts'

const order = ['a', 'b', 'c', 'd']
const keyPress = (key: string, more: Partial<KeyboardEvent> = {}) =>
  ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  }) as KeyboardEvent
const click = (more: Partial<MouseEvent> = {}) =>
  ({ ctrlKey: false, metaKey: false, shiftKey: false, ...more }) as MouseEvent

function setup() {
  const selection = useSelection()
  return { ...selection, keys: () => [...selection.selected.value] }
}

test('selects single rows and ranges with the pointer, and opens a row with a plain click', () => {
  const { click: press, keys, withRow } = setup()
  expect(press(click({ ctrlKey: true }), order, 'b')).toBe(true)
  expect(press(click({ metaKey: true }), order, 'd')).toBe(true)
  expect(keys()).toEqual(['b', 'd'])
  expect(withRow('d')).toEqual(['b', 'd'])
  expect(withRow('a')).toEqual(['a'])
  press(click({ ctrlKey: true }), order, 'b')
  expect(keys()).toEqual(['d'])
  expect(press(click(), order, 'a')).toBe(false)
  expect(keys()).toEqual([])
  press(click({ shiftKey: true }), order, 'c')
  expect(keys()).toEqual(['a', 'b', 'c'])
  // A range begins at the same row until another one is clicked.
  press(click({ shiftKey: true }), order, 'b')
  expect(keys()).toEqual(['a', 'b'])
})

test('begins a range at the open row', () => {
  const { begin, click: press, keys } = setup()
  begin('c')
  press(click({ shiftKey: true }), order, 'a')
  expect(keys()).toEqual(['a', 'b', 'c'])
})

test('selects with the keyboard, and leaves other keys alone', () => {
  const { press: onKey, keys } = setup()
  expect(onKey(keyPress('ArrowDown', { shiftKey: true }), order, 'b')).toBe('c')
  expect(onKey(keyPress('ArrowDown', { shiftKey: true }), order, 'c')).toBe('d')
  expect(keys()).toEqual(['b', 'c', 'd'])
  expect(onKey(keyPress('ArrowUp', { shiftKey: true }), order, 'd')).toBe('c')
  expect(keys()).toEqual(['b', 'c'])
  expect(onKey(keyPress('Escape'), order, 'c')).toBe('c')
  expect(keys()).toEqual([])
  expect(onKey(keyPress('a', { ctrlKey: true }), order, 'c')).toBe('c')
  expect(keys()).toEqual(order)
  expect(onKey(keyPress(' ', { metaKey: true }), order, 'a')).toBe('a')
  expect(keys()).toEqual(['b', 'c', 'd'])
  onKey(keyPress('Escape'), order, 'a')
  for (const key of ['Escape', 'Enter', 'ArrowDown', 'a'])
    expect(onKey(keyPress(key), order, 'a')).toBeNull()
})

test('forgets rows that left the list', () => {
  const { press: onKey, retain, keys } = setup()
  onKey(keyPress('a', { ctrlKey: true }), order, 'a')
  retain(['a', 'd', 'e'])
  expect(keys()).toEqual(['a', 'd'])
})
