import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSummary } from '../../../shared/model/run.ts'
import type { Log } from '../../deps.ts'
import { removal } from '../../../system/file-moves.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import { saveOutputs } from './outputs.ts'

export interface RescueDeps {
  readonly store: Pick<Store, 'runs'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly log: Log
  onRun(run: RunSummary): void
}

/**
 * Imports outputs that runs had written but could not save: a full disk, or the end of the process. Folders of runs that no
 * longer exist are removed; folders whose files still cannot be saved stay. `isActive` identifies runs that still write. Throws
 * nothing.
 */
export async function rescueOutputs(
  { store, files, log, onRun }: RescueDeps,
  folder: string,
  isActive: (id: string) => boolean,
): Promise<void> {
  const ids = await readdir(folder).catch((): string[] => [])
  for (const id of ids) {
    if (isActive(id)) continue
    const from = join(folder, id)
    try {
      if (store.runs.summary(id)) {
        const taken = await saveOutputs(from, files)
        if (taken.length > 0) onRun(store.runs.keepFiles(id, taken))
      }
      await rm(from, removal)
    } catch (error) {
      log.warn('failed to save the files of a run, will retry', { error })
    }
  }
}
