import { z } from 'zod'
import type { ArchiveJob } from '../model/archive.ts'
import { route } from './contract.ts'

const none = z.strictObject({})

/** What is under way or was done last; null before anything was. */
export interface ArchiveState {
  readonly job: ArchiveJob | null
  /** Whether the system's own dialogs choose files; else archives come by `PUT /archive` and go by `/media/`. */
  readonly dialogs: boolean
}

/** Routes of the archive: the whole library, or a selection, as one file. How far it is comes as `archive.changed`. */
export const archive = {
  state: route<ArchiveState>()(none),
  /** Writes an archive, of everything or of the items, runs and tasks named. Null when no place was chosen. Throws REFUSED while another is under way. */
  export: route<ArchiveState>()(
    z.strictObject({
      ids: z.array(z.string().min(1).max(64)).min(1).max(10_000).optional(),
      verify: z.boolean().default(true),
    }),
  ),
  /** Looks into the archive that arrived, or into one that the system's dialog chooses. */
  inspect: route<ArchiveState>()(none),
  /** Takes in the archive that was looked into. */
  takeIn: route<ArchiveState>()(none),
  cancel: route<ArchiveState>()(none),
  /** Forgets what was done last, with the files it left. */
  forget: route<ArchiveState>()(none),
}
