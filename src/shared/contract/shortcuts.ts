import { z } from 'zod'
import { isQuickShortcut } from '../chats/quick-shortcut.ts'
import { route } from './contract.ts'

/** Global shortcuts: show the quick window, start and stop a recording. */
export const shortcutNames = ['quick', 'record'] as const

/** One of {@link shortcutNames}. */
export type ShortcutName = (typeof shortcutNames)[number]

/**
 * `taken`: another program uses the keys. `asked`: the desktop asks the user for permission and does not report the
 * answer (Wayland) until the keys are pressed. `absent`: not supported by this host, a browser tab.
 */
export type ShortcutState = 'on' | 'off' | 'asked' | 'taken' | 'absent'

/** Shortcut in Electron's format (`CommandOrControl+Shift+Space`), '' if it is off. */
export interface GlobalShortcut {
  readonly keys: string
  readonly state: ShortcutState
}

/** Routes of global shortcuts. */
export const shortcuts = {
  state: route<{ readonly shortcuts: Readonly<Record<ShortcutName, GlobalShortcut>> }>()(
    z.strictObject({}),
  ),
  /** Sets other keys; '' turns the shortcut off. Keys used by another program change nothing. */
  use: route<GlobalShortcut>()(
    z.strictObject({
      name: z.enum(shortcutNames),
      keys: z
        .string()
        .max(100)
        .refine((keys) => keys === '' || isQuickShortcut(keys)),
    }),
  ),
}
