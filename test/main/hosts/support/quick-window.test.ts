import { describe, expect, test } from 'vitest'
import {
  isQuickShortcut,
  pressedShortcut,
  defaultQuickShortcut,
  defaultRecordShortcut,
} from '../../../../src/shared/chats/quick-shortcut.ts'
import { shortcuts as routes } from '../../../../src/shared/contract/shortcuts.ts'
import { defaultSettings } from '../../../../src/shared/contract/settings.ts'
import { confirmsShortcuts, createShortcuts } from '../../../../src/main/hosts/support/shortcuts.ts'
import { quickBounds, quickToggle } from '../../../../src/main/hosts/support/quick-window.ts'

/** A system in which other programs have registered some shortcuts. */
function systemOf(taken: readonly string[], asks = false) {
  const held = new Map<string, () => void>()
  const runs: string[] = []
  const system = {
    register(keys: string, run: () => void): boolean {
      if (keys === 'F13') throw new Error('no such key')
      if (taken.includes(keys) || held.has(keys)) return false
      held.set(keys, run)
      return true
    },
    unregister: (keys: string): void => void held.delete(keys),
  }
  const shortcuts = createShortcuts(
    system,
    { quick: () => void runs.push('quick'), record: () => void runs.push('record') },
    asks,
  )
  return { held, runs, shortcuts }
}

describe('a global shortcut', () => {
  test('exists once per name, and not at all when it is turned off', () => {
    const { held, runs, shortcuts } = systemOf([])
    expect(shortcuts.use('quick', '')).toBe('off')
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('on')
    expect(shortcuts.use('quick', 'Control+K')).toBe('on')
    expect(shortcuts.use('record', 'Alt+R')).toBe('on')
    expect([...held.keys()]).toEqual(['Control+K', 'Alt+R'])
    for (const press of held.values()) press()
    expect(runs).toEqual(['quick', 'record'])
    expect(shortcuts.use('quick', 'Control+K')).toBe('on')
    expect(shortcuts.use('quick', '')).toBe('off')
    expect([...held.keys()]).toEqual(['Alt+R'])
  })

  test('is unchanged if the new one is taken by another program or name, or unknown', () => {
    const { held, shortcuts } = systemOf(['Alt+Space'])
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('taken')
    expect(shortcuts.held('quick')).toBe('')
    expect(shortcuts.use('quick', 'Control+K')).toBe('on')
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('taken')
    expect(shortcuts.use('quick', 'F13')).toBe('taken')
    expect(shortcuts.use('record', 'Control+K')).toBe('taken')
    expect(shortcuts.held('quick')).toBe('Control+K')
    expect([...held.keys()]).toEqual(['Control+K'])
  })

  test('is active on Wayland once it is confirmed; until then it is only requested', () => {
    const { held, shortcuts } = systemOf([], true)
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('asked')
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('asked')
    held.get('Alt+Space')?.()
    expect(shortcuts.use('quick', 'Alt+Space')).toBe('on')
    expect(confirmsShortcuts('linux', { XDG_SESSION_TYPE: 'wayland' })).toBe(true)
    expect(confirmsShortcuts('linux', { XDG_SESSION_TYPE: 'x11' })).toBe(false)
    expect(confirmsShortcuts('darwin', { XDG_SESSION_TYPE: 'wayland' })).toBe(false)
  })

  test('for recording does not exist until the user chooses one', () => {
    expect(defaultSettings.recordShortcut).toBe('')
    expect(isQuickShortcut(defaultRecordShortcut)).toBe(true)
  })

  test('does not capture plain letters of other programs', () => {
    for (const keys of [defaultQuickShortcut, 'Alt+Space', 'Control+Shift+K', 'F9', 'Shift+F9'])
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
    const use = (keys: string): boolean =>
      routes.use.request.safeParse({ name: 'quick', keys }).success
    expect([use(''), use('Shift+K')]).toEqual([true, false])
  })

  test('is read from pressed keys, on a Mac with Command instead of Control', () => {
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

test('the window opens within the active screen, however small that is', () => {
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

test('the shortcut hides the window only when it is focused', () => {
  expect(quickToggle({ visible: true, focused: true })).toBe('hide')
  expect(quickToggle({ visible: true, focused: false })).toBe('show')
  expect(quickToggle({ visible: false, focused: false })).toBe('show')
})
