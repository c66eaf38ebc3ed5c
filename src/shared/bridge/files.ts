import { z } from 'zod'
import { callerIdPattern, route } from './contract.ts'

/** A file as it is named below the media address: kept content, a meeting's audio, or a written archive. Never a path. */
const media = z
  .string()
  .regex(/^(?:[a-z2-7]{26}|meeting-[A-Za-z0-9_-]{1,64}|archive-[A-Za-z0-9_-]{1,64})$/)

/** The file and the name to suggest for its copy; the name is cleaned, and its extension fixed by the content, before use. */
const copy = z.strictObject({ media, name: z.string().min(1).max(1024) })

/** What became of a save. */
export type SaveOutcome =
  /** A copy was written; `id` shows it in its folder until Lectern quits. */
  | { readonly state: 'saved'; readonly id: string; readonly name: string }
  /** The user closed the dialog, or stopped the copy; nothing was written. */
  | { readonly state: 'cancelled' }
  /** The host has no dialogs: the browser downloads the file of this name below the media address. */
  | { readonly state: 'download'; readonly media: string }

/** Routes of files that leave Lectern: the page says which, the user says where, and no path crosses the bridge. */
export const files = {
  /**
   * Saves a copy where the user chooses. With a `callId` a long one tells its page how far it is (`save.progress`), and is stopped by
   * `streams.cancel`. Throws SAVE_FAILED, DISK_FULL, NOT_FOUND or FILE_MISSING.
   */
  save: route<SaveOutcome>()(copy.extend({ callId: z.string().regex(callerIdPattern).optional() })),
  /** Shows a saved copy (`saved`), or a file of the Library (`media`), in the system's file manager. Throws NOT_FOUND or FILE_MISSING. */
  reveal: route<Record<string, never>>()(
    z.union([z.strictObject({ saved: z.string().min(1).max(64) }), z.strictObject({ media })]),
  ),
  /**
   * Starts to drag a copy out of the window; to be asked while the pointer is down. `preparing`: the copy takes longer than a drag
   * waits, and is ready for the next one soon.
   */
  drag: route<{ readonly state: 'started' | 'preparing' }>()(copy),
}
