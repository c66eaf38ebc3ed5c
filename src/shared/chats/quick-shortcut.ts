/** Default shortcut of the quick window, in Electron's format. */
export const defaultQuickShortcut = 'CommandOrControl+Shift+Space'

/**
 * Suggested shortcut for starting and stopping a recording from any program. Not registered until the user chooses one.
 */
export const defaultRecordShortcut = 'CommandOrControl+Alt+R'

const modifiers = ['CommandOrControl', 'Command', 'Control', 'Alt', 'Shift', 'Super'] as const
const named = /^(?:[A-Z0-9]|Space|Enter|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right)$/
const functionKey = /^F(?:[1-9]|1\d|2[0-4])$/

/**
 * Returns whether keys can be a global shortcut: plain letters, alone or with Shift, must not be taken away from other
 * programs.
 */
export function isQuickShortcut(keys: string): boolean {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const known = parts.every((part) => modifiers.some((one) => one === part))
  if (!known || new Set(parts).size !== parts.length) return false
  if (functionKey.test(key)) return true
  return named.test(key) && parts.some((part) => part !== 'Shift')
}

/** Used part of a keyboard event. */
interface PressedKey {
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/**
 * Returns the shortcut of pressed keys; null if they are none. On a Mac, Command takes the role of Control.
 */
export function pressedShortcut(key: PressedKey, mac: boolean): string | null {
  const [main, other] = mac ? [key.metaKey, key.ctrlKey] : [key.ctrlKey, key.metaKey]
  const parts = [
    main && 'CommandOrControl',
    other && (mac ? 'Control' : 'Super'),
    key.altKey && 'Alt',
    key.shiftKey && 'Shift',
    key.code.replace(/^(?:Key|Digit|Arrow)(?=[A-Z0-9])/, ''),
  ].filter((part) => part !== false)
  const keys = parts.join('+')
  return isQuickShortcut(keys) ? keys : null
}

/** Returns the shortcut in the page's own key format (`mod+shift+Space`). */
export const spelledShortcut = (keys: string): string =>
  keys.replace('CommandOrControl', 'mod').replace('Shift', 'shift')
