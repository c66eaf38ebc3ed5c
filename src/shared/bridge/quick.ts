import { z } from 'zod'
import { isQuickShortcut } from '../chat/quick-shortcut.ts'
import { route } from './contract.ts'

/** `taken`: another program has the shortcut. `absent`: this host has no windows of its own, a browser tab. */
export type QuickState = 'on' | 'off' | 'taken' | 'absent'

/** The quick window's shortcut as Electron writes it (`CommandOrControl+Shift+Space`), '' when it is switched off. */
export interface QuickWindow {
  readonly shortcut: string
  readonly state: QuickState
}

/** The small window for one question, that a shortcut brings up from anywhere. */
export const quick = {
  state: route<QuickWindow>()(z.strictObject({})),
  /** Takes another shortcut; '' switches it off. One that is taken by another program changes nothing. */
  use: route<QuickWindow>()(
    z.strictObject({
      shortcut: z
        .string()
        .max(100)
        .refine((keys) => keys === '' || isQuickShortcut(keys)),
    }),
  ),
  /** Brings the quick window up. NOT_IMPLEMENTED where there is none: the page opens it in its own place. */
  show: route<Record<string, never>>()(z.strictObject({})),
  /** Goes on with a conversation in the main window, and puts the quick window away. */
  leave: route<Record<string, never>>()(z.strictObject({ id: z.string().min(1).max(64) })),
}
