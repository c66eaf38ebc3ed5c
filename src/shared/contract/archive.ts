import { z } from 'zod'
import type { ArchiveJob } from '../model/archive.ts'
import { route } from './contract.ts'

const none = z.strictObject({})

/** Current or most recent archive job; null if there was none. */
export interface ArchiveState {
  readonly job: ArchiveJob | null
  /**
   * Whether system dialogs choose files; otherwise archives are sent by `PUT /archive` and downloaded from `/media/`.
   */
  readonly dialogs: boolean
}

/**
 * Archive routes: the whole library, or a selection, as one file. Progress is reported by `archive.changed`.
 */
export const archive = {
  state: route<ArchiveState>()(none),
  /**
   * Exports an archive of everything or of the given items, runs and tasks. Null if no destination was chosen. Throws
   * REFUSED while another job is running.
   */
  export: route<ArchiveState>()(
    z.strictObject({
      ids: z.array(z.string().min(1).max(64)).min(1).max(10_000).optional(),
      verify: z.boolean().default(true),
    }),
  ),
  /** Inspects the received archive, or one chosen in the system dialog. */
  inspect: route<ArchiveState>()(none),
  /** Imports the inspected archive. */
  import: route<ArchiveState>()(none),
  cancel: route<ArchiveState>()(none),
  /** Clears the last job, with the files it left. */
  forget: route<ArchiveState>()(none),
}
