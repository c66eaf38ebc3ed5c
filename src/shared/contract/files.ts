import { z } from 'zod'
import { callerIdPattern, route } from './contract.ts'

/** File name below the media URL: stored content, a meeting's audio, or an exported archive. Never a path. */
const media = z
  .string()
  .regex(/^(?:[a-z2-7]{26}|meeting-[A-Za-z0-9_-]{1,64}|archive-[A-Za-z0-9_-]{1,64})$/)

/**
 * File and the suggested name of its copy; before use, the name is sanitized and its extension set by the content.
 */
const copy = z.strictObject({ media, name: z.string().min(1).max(1024) })

export type SaveOutcome =
  /** A copy was written; `id` shows it in its folder until Lectern quits. */
  | { readonly state: 'saved'; readonly id: string; readonly name: string }
  /** The user closed the dialog or stopped the copy; nothing was written. */
  | { readonly state: 'cancelled' }
  /** The host has no dialogs: the browser downloads the file under this name from its media URL. */
  | { readonly state: 'download'; readonly media: string }

/**
 * Routes of files that leave Lectern: the page chooses the file, the user the destination, and no path crosses the
 * bridge.
 */
export const files = {
  /**
   * Saves a copy where the user chooses. With a `callId`, a long one reports its progress to the page (`save.progress`)
   * and can be stopped by `streams.cancel`. Throws SAVE_FAILED, DISK_FULL, NOT_FOUND or FILE_MISSING.
   */
  save: route<SaveOutcome>()(copy.extend({ callId: z.string().regex(callerIdPattern).optional() })),
  /**
   * Shows a saved copy (`saved`), or a file of the Library (`media`), in the system's file manager. Throws NOT_FOUND or
   * FILE_MISSING.
   */
  reveal: route<Record<string, never>>()(
    z.union([z.strictObject({ saved: z.string().min(1).max(64) }), z.strictObject({ media })]),
  ),
  /**
   * Starts dragging a copy out of the window; must be called while the pointer is down. `preparing`: the copy takes longer
   * than a drag waits, and will soon be ready for the next one.
   */
  drag: route<{ readonly state: 'started' | 'preparing' }>()(copy),
}
