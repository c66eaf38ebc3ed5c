import type { ShortcutName, ShortcutState } from '../../shared/bridge/shortcuts.ts'

/** The system's shortcuts, as far as they are needed. */
export interface SystemShortcuts {
  /** False when another program has it. */
  register(keys: string, run: () => void): boolean
  unregister(keys: string): void
}

/** Whether the desktop asks its user about each shortcut: Wayland's portal, to which Electron says yes before anybody answered. */
export const confirmsShortcuts = (
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean => platform === 'linux' && env['XDG_SESSION_TYPE'] === 'wayland'

/** Holds one shortcut of the system for each name. */
export function createShortcuts(
  system: SystemShortcuts,
  runs: Readonly<Record<ShortcutName, () => void>>,
  asks: boolean,
) {
  const held = new Map<ShortcutName, string>()
  /** Keys that arrived: whoever was asked said yes. */
  const arrived = new Set<string>()
  const take = (name: ShortcutName, keys: string): boolean => {
    const run = (): void => {
      arrived.add(keys)
      runs[name]()
    }
    try {
      if (!system.register(keys, run)) return false
    } catch {
      // Keys that this system does not know.
      return false
    }
    held.set(name, keys)
    return true
  }
  const stateOf = (keys: string): ShortcutState => (asks && !arrived.has(keys) ? 'asked' : 'on')
  return {
    /** Takes these keys in the place of those before; '' none. Those before stay when these are taken by another program. */
    use(name: ShortcutName, keys: string): ShortcutState {
      const before = held.get(name) ?? ''
      if (keys === before) return keys === '' ? 'off' : stateOf(keys)
      if (before !== '') system.unregister(before)
      held.delete(name)
      if (keys === '') return 'off'
      if (take(name, keys)) return stateOf(keys)
      if (before !== '') take(name, before)
      return 'taken'
    },
    held: (name: ShortcutName): string => held.get(name) ?? '',
  }
}
