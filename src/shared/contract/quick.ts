import { z } from 'zod'
import { route } from './contract.ts'

/** Routes of the quick window for one question, opened from anywhere by a shortcut. */
export const quick = {
  /** Shows the quick window. NOT_IMPLEMENTED if the host has none: the page opens it in its own window. */
  show: route<Record<string, never>>()(z.strictObject({})),
  /** Hides the quick window; its input stays. */
  hide: route<Record<string, never>>()(z.strictObject({})),
  /** Continues a chat in the main window, and hides the quick window. */
  leave: route<Record<string, never>>()(z.strictObject({ id: z.string().min(1).max(64) })),
}
