import { z } from 'zod'
import type { UpdateState } from '../model/updates.ts'
import { route } from './contract.ts'

/** Update routes. Each returns the state after it started; progress is reported by `updates.changed`. */
export const updates = {
  state: route<UpdateState>()(z.strictObject({})),
  /** Checks the mirrors now. */
  check: route<UpdateState>()(z.strictObject({})),
  /** Downloads the available version; resumes an earlier download. */
  download: route<UpdateState>()(z.strictObject({})),
  /** Pauses the download; received data is kept for the next one. */
  cancel: route<UpdateState>()(z.strictObject({})),
  /** Backs the library up, installs the downloaded version and restarts Lectern. */
  install: route<UpdateState>()(z.strictObject({})),
  /** Restarts into the version before the last update. */
  rollBack: route<UpdateState>()(z.strictObject({})),
}
