import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageKind } from '../../shared/model/storage.ts'
import { contentIdPattern } from '../media/content-id.ts'
import { treeBytes } from '../media/tree-bytes.ts'
import { listBackups } from '../store/backup.ts'
import { storePaths } from '../store/paths.ts'
import { keptKinds, namedNowhere } from '../store/storage-kinds.ts'
import { sizeOf } from './disk.ts'
import { archivePlaces, mediaPlace } from './places.ts'

/** Whose storage is looked at. */
export interface StorageLook {
  readonly home: string
  readonly computer: string
  /** Unix milliseconds. */
  readonly now: number
}

/** Bytes by kind, with what a clean-up of each would free. */
export async function lookAtStorage(look: StorageLook): Promise<readonly StorageKind[]> {
  const { home, computer } = look
  const paths = storePaths(home)
  const { files, vectors, binnedMeetings } = keptKinds(paths.database)
  const bytesOf = (kind: string): number => files.find((one) => one.kind === kind)?.bytes ?? 0
  const binnedSound = await sum(binnedMeetings.map((id) => treeBytes(join(home, 'meetings', id))))
  const sound = (await treeBytes(join(home, 'meetings'))) - binnedSound
  const strays = await strayFiles(look)
  const strayBytes = await sum(strays.map(async (id) => (await sizeOf(mediaPlace(home, id))) ?? 0))
  const places = archivePlaces(home)
  const archives = (await treeBytes(places.out)) + (await treeBytes(places.in))
  const database = await sum(
    ['', '-wal'].map(async (side) => (await sizeOf(paths.database + side)) ?? 0),
  )
  const backups = listBackups(paths.backups, look.now).reduce((all, one) => all + one.bytes, 0)
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
    plain('meetings', sound),
    plain('documents', bytesOf('documents')),
    cleanable('pictures', bytesOf('pictures')),
    plain('chats', bytesOf('chats')),
    plain('voices', bytesOf('voices')),
    plain('knowledge', bytesOf('knowledge')),
    plain('runs', bytesOf('runs')),
    plain('database', Math.max(0, database - vectors)),
    plain('vectors', vectors),
    plain('backups', backups),
    plain('computer', await treeBytes(computer)),
    cleanable('bin', bytesOf('bin') + binnedSound),
    cleanable('strays', strayBytes + bytesOf('unused')),
    cleanable('archives', archives),
    cleanable('quarantine', quarantine),
    cleanable('logs', logs),
  ]
}

const sum = async (sizes: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(sizes)).reduce((all, bytes) => all + bytes, 0)

/**
 * Ids of files on the disk that neither the library nor any backup of it names. One of them may be named a moment later: whoever keeps
 * files removes them, and looks once more.
 */
export async function strayFiles({ home, now }: StorageLook): Promise<readonly string[]> {
  const paths = storePaths(home)
  const found = await readdir(join(home, 'media'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  const ids = found
    .filter((entry) => entry.isFile() && contentIdPattern.test(entry.name))
    .map((entry) => entry.name)
  const backups = listBackups(paths.backups, now).map(({ path }) => path)
  return namedNowhere(ids, [paths.database, ...backups])
}
