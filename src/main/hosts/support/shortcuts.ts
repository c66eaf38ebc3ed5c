import type { ShortcutName, ShortcutState } from '../../../shared/contract/shortcuts.ts'

/** The system's global shortcuts, as far as they are used. */
interface SystemShortcuts {
  /** Returns false if another program has registered it. */
  register(keys: string, run: () => void): boolean
  unregister(keys: string): void
}

/**
 * Whether the desktop asks its user about each shortcut: for Wayland's portal, Electron reports success before the user
 * responds.
 */
export const confirmsShortcuts = (
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean => platform === 'linux' && env['XDG_SESSION_TYPE'] === 'wayland'

/** Manages one global shortcut per name. */
export function createShortcuts(
  system: SystemShortcuts,
  runs: Readonly<Record<ShortcutName, () => void>>,
  asks: boolean,
) {
  const held = new Map<ShortcutName, string>()
  /** Shortcuts that were triggered, which proves that the user allowed them. */
  const arrived = new Set<string>()
  const take = (name: ShortcutName, keys: string): boolean => {
    const run = (): void => {
      arrived.add(keys)
      runs[name]()
    }
    try {
      if (!system.register(keys, run)) return false
    } catch {
      // The system does not support these keys.
      return false
    }
    held.set(name, keys)
    return true
  }
  const stateOf = (keys: string): ShortcutState => (asks && !arrived.has(keys) ? 'asked' : 'on')
  return {
    /**
     * Replaces the keys of a shortcut; '' for none. The previous keys stay if another program has registered the new ones.
     */
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
