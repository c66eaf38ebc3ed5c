import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageKind } from '../../../../shared/model/storage.ts'
import { contentIdPattern } from '../../../platform/files/content-id.ts'
import { treeBytes } from '../../../platform/files/tree-bytes.ts'
import { listBackups } from '../../../library-database/backup.ts'
import { storePaths } from '../../../platform/database/paths.ts'
import { savedKinds, namedNowhere } from '../store/storage-kinds.ts'
import { changedAt, sizeOf } from './disk.ts'
import { archivePlaces, mediaPlace } from './layout.ts'

/** Library whose storage is measured. */
export interface StorageScan {
  readonly home: string
  readonly computer: string
  /** Unix milliseconds. */
  readonly now: number
  /** IDs of files that were requested within {@link strayMs}. */
  readonly inUse: readonly string[]
}

/** Age (ms) after which unused files are strays: a newer one may have just been dropped or created to be downloaded. */
export const strayMs = 3_600_000

/** Returns the bytes by type, and how many a cleanup of each would free. */
export async function measureStorage(scan: StorageScan): Promise<readonly StorageKind[]> {
  const { home, computer, now, inUse } = scan
  const paths = storePaths(home)
  const { files, vectors, trashedMeetings } = savedKinds(paths.database, {
    before: now - strayMs,
    inUse,
  })
  const bytesOf = (kind: string): number => files.find((one) => one.kind === kind)?.bytes ?? 0
  const trashedAudio = await sum(trashedMeetings.map((id) => treeBytes(join(home, 'meetings', id))))
  const meetingAudio = (await treeBytes(join(home, 'meetings'))) - trashedAudio
  const strayBytes = async (age: number): Promise<number> =>
    sum((await strayFiles(scan, age)).map(async (id) => (await sizeOf(mediaPlace(home, id))) ?? 0))
  const places = archivePlaces(home)
  const archives = (await treeBytes(places.out)) + (await treeBytes(places.in))
  const database = await sum(
    ['', '-wal'].map(async (side) => (await sizeOf(paths.database + side)) ?? 0),
  )
  const backups = listBackups(paths.backups, scan.now).reduce((all, one) => all + one.bytes, 0)
  const quarantine = await treeBytes(paths.quarantine)
  const logs = (await treeBytes(join(home, 'logs'))) + (await treeBytes(join(home, 'crashes')))
  const plain = (kind: StorageKind['kind'], bytes: number): StorageKind => ({
    kind,
    bytes,
    frees: null,
  })
  const cleanable = (kind: StorageKind['kind'], bytes: number): StorageKind => ({
    kind,
    bytes,
    frees: bytes,
  })
  return [
    plain('recordings', bytesOf('recordings')),
    plain('meetings', meetingAudio),
    plain('documents', bytesOf('documents')),
    cleanable('pageImages', bytesOf('pageImages')),
    plain('chats', bytesOf('chats')),
    plain('voices', bytesOf('voices')),
    plain('knowledge', bytesOf('knowledge')),
    plain('runs', bytesOf('runs')),
    plain('database', Math.max(0, database - vectors)),
    plain('vectors', vectors),
    plain('backups', backups),
    plain('computer', await treeBytes(computer)),
    cleanable('bin', bytesOf('bin') + trashedAudio),
    {
      kind: 'strays',
      bytes: (await strayBytes(0)) + bytesOf('unused') + bytesOf('unclaimed'),
      frees: (await strayBytes(strayMs)) + bytesOf('unused'),
    },
    cleanable('archives', archives),
    cleanable('quarantine', quarantine),
    cleanable('logs', logs),
  ]
}

const sum = async (sizes: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(sizes)).reduce((all, bytes) => all + bytes, 0)

/**
 * Returns the IDs of files on the disk older than `age` (ms) that neither the library nor any of its backups references. One of
 * them may be referenced a moment later: the file store checks again before it deletes them.
 */
export async function strayFiles(
  { home, now, inUse }: StorageScan,
  age = strayMs,
): Promise<readonly string[]> {
  const paths = storePaths(home)
  const found = await readdir(join(home, 'media'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  const ids = found
    .filter((entry) => entry.isFile() && contentIdPattern.test(entry.name))
    .map((entry) => entry.name)
  const backups = listBackups(paths.backups, now).map(({ path }) => path)
  const strays = namedNowhere(ids, paths.database, backups)
  if (age === 0) return strays
  const used = new Set(inUse)
  const aged = await Promise.all(
    strays.map(async (id) => !used.has(id) && now - (await changedAt(mediaPlace(home, id))) > age),
  )
  return strays.filter((_, n) => aged[n])
}
