import { z } from 'zod'
import { route } from './contract.ts'

/** The small window for one question, that a shortcut brings up from anywhere. */
export const quick = {
  /** Brings the quick window up. NOT_IMPLEMENTED where there is none: the page opens it in its own place. */
  show: route<Record<string, never>>()(z.strictObject({})),
  /** Puts the quick window away; what is written in it stays. */
  hide: route<Record<string, never>>()(z.strictObject({})),
  /** Goes on with a conversation in the main window, and puts the quick window away. */
  leave: route<Record<string, never>>()(z.strictObject({ id: z.string().min(1).max(64) })),
}
