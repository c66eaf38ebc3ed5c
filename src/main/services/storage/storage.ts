import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageUse } from '../../../shared/bridge/app.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Keys } from '../../secrets/keys.ts'
import type { Store } from '../../store/types.ts'
import type { Knowledge } from '../knowledge/all.ts'
import type { LocalService } from '../local/local.ts'
import type { DocumentsService } from '../documents/types.ts'
import type { Meetings } from '../meetings/types.ts'
import type { Chats } from '../chats/types.ts'
import type { Runs } from '../runs/runs.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Transcriptions } from '../transcribe/transcribe.ts'

/** What the data folder holds, and its end. */
export interface Storage {
  use(): Promise<StorageUse>
  /** Deletes every row, file, backup and key. Running work is stopped first. */
  eraseAll(): Promise<void>
}

/** What the storage use case is built from. */
export interface StorageDeps {
  readonly home: string
  /** The local service's own folder. */
  readonly localHome: string
  readonly store: Store
  readonly files: MediaFiles
  readonly keys: Keys
  readonly local: LocalService
  readonly transcriptions: Transcriptions
  readonly meetings: Pick<Meetings, 'sound' | 'forget' | 'erase'>
  readonly documents: Pick<DocumentsService, 'forget' | 'erase'>
  readonly chats: Pick<Chats, 'stopAll'>
  readonly runs: Pick<Runs, 'stopAll'>
  readonly tasks: Pick<Tasks, 'forgetAll'>
  /** Everything else that goes on by itself. */
  readonly work: { stopAll(): Promise<void> }
  readonly knowledge: Pick<Knowledge, 'stopAll'>
  onErased(): void
}

/** Builds the storage use case. */
export function createStorage(deps: StorageDeps): Storage {
  const { store, files, keys } = deps
  const allItems = (): string[] => {
    const ids: string[] = []
    for (const bin of [true, false]) {
      let cursor: string | undefined
      do {
        const page = store.items.list({ bin, limit: 200, ...(cursor !== undefined && { cursor }) })
        ids.push(...page.items.map((item) => item.id))
        cursor = page.next ?? undefined
      } while (cursor !== undefined)
    }
    return ids
  }
  return {
    async use() {
      const disk = await statfs(deps.home).catch(() => null)
      return {
        dataFolder: deps.home,
        ...store.size(),
        media: (await files.bytes()) + (await deps.meetings.sound.bytes()),
        free: disk ? disk.bavail * disk.bsize : null,
      }
    },
    async eraseAll() {
      const items = allItems()
      await deps.transcriptions.forget(items)
      await deps.meetings.forget(items)
      await deps.documents.forget(items)
      await deps.chats.stopAll()
      await deps.runs.stopAll()
      await deps.tasks.forgetAll()
      await deps.work.stopAll()
      await deps.knowledge.stopAll()
      const accounts = store.accounts.list()
      // Before its rows: a recording that is still written would have them made again.
      await deps.meetings.erase()
      await deps.documents.erase()
      store.erase()
      await files.erase()
      await deps.local.stop()
      const folders = [deps.localHome]
      for (const name of [
        'crashes',
        'logs',
        'runs',
        'voices',
        'speech',
        'embeddings',
        'command-line',
      ])
        folders.push(join(deps.home, name))
      for (const folder of folders) {
        await rm(folder, { recursive: true, force: true })
      }
      // Last, because a locked keychain may refuse: then everything else is gone all the same, and the user is told.
      const cleared = await Promise.allSettled(accounts.map(({ id }) => keys.clear(id)))
      deps.onErased()
      const refused = cleared.find((result) => result.status === 'rejected')
      if (refused) throw refused.reason
    },
  }
}
