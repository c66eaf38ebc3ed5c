import { z } from 'zod'
import { isQuickShortcut } from '../chat/quick-shortcut.ts'
import { route } from './contract.ts'

/** What shortcuts of the whole system do: bring up the quick window, start and stop a recording. */
export const shortcutNames = ['quick', 'record'] as const

/** One of {@link shortcutNames}. */
export type ShortcutName = (typeof shortcutNames)[number]

/**
 * `taken`: another program has the keys. `asked`: the desktop asks its user whether Lectern may have them and tells nobody
 * the answer (Wayland), until they are pressed. `absent`: this host has none, a browser tab.
 */
export type ShortcutState = 'on' | 'off' | 'asked' | 'taken' | 'absent'

/** A shortcut as Electron writes it (`CommandOrControl+Shift+Space`), '' when it is switched off. */
export interface GlobalShortcut {
  readonly keys: string
  readonly state: ShortcutState
}

/** Shortcuts that work in every program. */
export const shortcuts = {
  state: route<{ readonly shortcuts: Readonly<Record<ShortcutName, GlobalShortcut>> }>()(
    z.strictObject({}),
  ),
  /** Takes other keys; '' switches it off. Keys that are taken by another program change nothing. */
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
