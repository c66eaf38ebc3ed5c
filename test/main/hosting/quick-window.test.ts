import { describe, expect, test } from 'vitest'
import {
  isQuickShortcut,
  pressedShortcut,
  usualQuickShortcut,
} from '../../../src/shared/chat/quick-shortcut.ts'
import { quick } from '../../../src/shared/bridge/quick.ts'
import {
  createQuickShortcut,
  quickBounds,
  quickToggle,
} from '../../../src/main/hosting/quick-window.ts'

/** A system in which other programs have some shortcuts. */
function systemOf(taken: readonly string[]) {
  const held = new Map<string, () => void>()
  return {
    held,
    register(keys: string, run: () => void): boolean {
      if (keys === 'F13') throw new Error('no such key')
      if (taken.includes(keys) || held.has(keys)) return false
      held.set(keys, run)
      return true
    },
    unregister: (keys: string): void => void held.delete(keys),
  }
}

describe('the shortcut', () => {
  test('is one at a time, and none when it is switched off', () => {
    const system = systemOf([])
    const shortcut = createQuickShortcut(system, () => undefined)
    expect(shortcut.use('')).toBe('off')
    expect(shortcut.use('Alt+Space')).toBe('on')
    expect(shortcut.use('Control+K')).toBe('on')
    expect([...system.held.keys()]).toEqual(['Control+K'])
    expect(shortcut.use('Control+K')).toBe('on')
    expect(shortcut.use('')).toBe('off')
    expect([...system.held.keys()]).toEqual([])
  })

  test('that another program has, or the system does not know, changes nothing', () => {
    const system = systemOf(['Alt+Space'])
    const shortcut = createQuickShortcut(system, () => undefined)
    expect(shortcut.use('Alt+Space')).toBe('taken')
    expect(shortcut.held()).toBe('')
    expect(shortcut.use('Control+K')).toBe('on')
    expect(shortcut.use('Alt+Space')).toBe('taken')
    expect(shortcut.use('F13')).toBe('taken')
    expect(shortcut.held()).toBe('Control+K')
    expect([...system.held.keys()]).toEqual(['Control+K'])
  })

  test('takes no letter away from other programs', () => {
    for (const keys of [usualQuickShortcut, 'Alt+Space', 'Control+Shift+K', 'F9', 'Shift+F9'])
      expect([keys, isQuickShortcut(keys)]).toEqual([keys, true])
    for (const keys of [
      'K',
      'Shift+K',
      'Shift+Space',
      'Control',
      'Control+',
      'Control+Control+K',
      'Control+KK',
      'Alt+constructor',
      'F25',
      '',
    ])
      expect([keys, isQuickShortcut(keys)]).toEqual([keys, false])
    expect(quick.use.request.safeParse({ shortcut: '' }).success).toBe(true)
    expect(quick.use.request.safeParse({ shortcut: 'Shift+K' }).success).toBe(false)
  })

  test('is read from pressed keys, on a Mac with Command in the place of Control', () => {
    const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
    const press = { ...none, ctrlKey: true, shiftKey: true, code: 'KeyJ' }
    expect(pressedShortcut(press, false)).toBe('CommandOrControl+Shift+J')
    expect(pressedShortcut({ ...press, metaKey: true, ctrlKey: false }, true)).toBe(
      'CommandOrControl+Shift+J',
    )
    expect(pressedShortcut(press, true)).toBe('Control+Shift+J')
    expect(pressedShortcut({ ...none, altKey: true, code: 'Space' }, false)).toBe('Alt+Space')
    expect(pressedShortcut({ ...none, altKey: true, code: 'ArrowUp' }, false)).toBe('Alt+Up')
    expect(pressedShortcut({ ...none, ctrlKey: true, code: 'ControlLeft' }, false)).toBeNull()
    expect(pressedShortcut({ ...none, shiftKey: true, code: 'KeyJ' }, false)).toBeNull()
  })
})

test('the window comes up inside the screen that is worked on, however small that is', () => {
  expect(quickBounds({ x: 1920, y: 0, width: 1920, height: 1060 })).toEqual({
    x: 2540,
    y: 150,
    width: 680,
    height: 460,
  })
  expect(quickBounds({ x: 0, y: 20, width: 500, height: 300 })).toEqual({
    x: 0,
    y: 20,
    width: 500,
    height: 300,
  })
})

test('the shortcut puts the window away only when it is what is worked in', () => {
  expect(quickToggle({ visible: true, focused: true })).toBe('hide')
  expect(quickToggle({ visible: true, focused: false })).toBe('show')
  expect(quickToggle({ visible: false, focused: false })).toBe('show')
})
