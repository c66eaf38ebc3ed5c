import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { removal } from '../../../../../system/file-moves.ts'
import type { StorageUse } from '../../../../../shared/contract/app.ts'
import type { CleanKind, StorageKind } from '../../../../../shared/model/storage.ts'
import { archivePlaces } from '../../archive/layout.ts'
import { strayMs } from '../../archive/archive-storage.ts'
import { emptyFolder, endErasing, eraseKeys, markErasing } from '../../../../erasing.ts'
import { storePaths } from '../../../../platform/database/paths.ts'
import type { Archives, ArchiveWorker } from '../archive/archive.ts'
import type { Keys } from '../../../../platform/secrets/keys.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { LocalService } from '../../../settings/index.ts'
import type { Meetings } from '../../../audio/index.ts'
import type { BackgroundWork } from '../../../../background-work.ts'
import type { Context } from '../../../../context.ts'

/** Storage usage of the data folder, and erasing it. */
export interface Storage {
  use(): Promise<StorageUse>
  kinds(): Promise<readonly StorageKind[]>
  /** Removes data that can be fetched again or is no longer needed. */
  cleanUp(kind: CleanKind): Promise<void>
  /** Deletes every row, file, backup and API key, after stopping all running work. */
  eraseAll(): Promise<void>
}

interface StorageDeps extends Pick<Context, 'home' | 'store' | 'files' | 'clock'> {
  /** Folder of the local service. */
  readonly localHome: string
  readonly keys: Keys
  readonly local: LocalService
  readonly meetings: Pick<Meetings, 'audio'>
  readonly work: Pick<BackgroundWork, 'forget' | 'stopAll' | 'erase'>
  readonly worker: ArchiveWorker
  readonly archives: Pick<Archives, 'forget'>
  /** Deletes items permanently, with their files. */
  purge(ids: readonly string[]): Promise<void>
  onErased(): void
}

export function createStorage(deps: StorageDeps): Storage {
  const { store, files, keys } = deps
  const scanOptions = () => {
    const now = deps.clock()
    const inUse = files.requestedSince(now - strayMs)
    return { home: deps.home, computer: deps.localHome, now, inUse }
  }
  /** Deletes page images, which are rendered again when they are viewed. */
  const dropImages = async (): Promise<void> => {
    for (const id of store.documents.dropImages()) await files.remove(id)
  }
  return {
    async use() {
      const disk = await statfs(deps.home).catch(() => null)
      return {
        dataFolder: deps.home,
        ...store.size(),
        media: (await files.bytes()) + (await deps.meetings.audio.bytes()),
        free: disk ? disk.bavail * disk.bsize : null,
      }
    },
    async kinds() {
      return (await deps.worker.call({ task: 'storage', scan: scanOptions() })).kinds
    },
    async cleanUp(kind) {
      const { home } = deps
      if (kind === 'bin') return deps.purge(itemIds(store, true))
      if (kind === 'pageImages') return dropImages()
      if (kind === 'strays') {
        await files.sweep(deps.clock() - strayMs)
        const { ids } = await deps.worker.call({ task: 'strays', scan: scanOptions() })
        for (const id of ids) await files.removeStray(id)
        return
      }
      // An archive that is being exported or imported is in use: refused.
      if (kind === 'archives') await deps.archives.forget()
      const { out, in: arrived } = archivePlaces(home)
      const folders = {
        archives: [out, arrived],
        quarantine: [storePaths(home).quarantine],
        logs: [join(home, 'crashes'), join(home, 'logs')],
      }[kind]
      for (const folder of folders) await rm(folder, removal)
    },
    async eraseAll() {
      const accounts = keys.accounts()
      markErasing(deps.home, accounts)
      const items = [...itemIds(store, true), ...itemIds(store, false)]
      await deps.work.forget(items)
      await deps.work.stopAll()
      const { refused, reason } = await eraseKeys(accounts, keys)
      // Before deleting rows: a recording in progress would create its rows again.
      await deps.work.erase()
      await files.erase()
      await deps.local.stop()
      await rm(deps.localHome, removal)
      // Deletes everything in the data folder, so that new files are covered automatically.
      await emptyFolder(deps.home, openDatabase)
      store.erase()
      // A locked keychain may refuse: everything else is deleted anyway, the user is informed, and the next start tries
      // again.
      if (refused.length > 0) markErasing(deps.home, refused, 'keys')
      else await endErasing(deps.home)
      deps.onErased()
      if (refused.length > 0) throw reason
    },
  }
}

/** The database is open, so it is emptied instead. */
const openDatabase = /^library\.db(-wal|-shm)?$/

function itemIds(store: Pick<Store, 'items'>, bin: boolean): readonly string[] {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = store.items.list({ bin, limit: 200, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.items.map((item) => item.id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return ids
}
