import { lstat, open, readdir, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { discard, moveFile } from '../../../../system/file-moves.ts'
import { contentId } from '../../../platform/files/content-id.ts'
import { copyState, takeSnapshot } from './archive-snapshot.ts'
import { assertFreeSpace, ownFolder, sizeOf, syncFolder } from './disk.ts'
import {
  archiveFormat,
  archiveVersion,
  databaseName,
  kindOfPath,
  manifestName,
  type ManifestEntry,
  type MissingFile,
  mediaPlace,
} from './layout.ts'
import { writeManifest, verifyArchive } from './archive-file.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import type { Sums } from '../../../platform/zip/archive-stream.ts'
import { createZipWriter } from '../../../platform/zip/zip-writer.ts'

/** Sources and target of an archive export. */
export interface ArchiveExport {
  readonly home: string
  /** Path of the library's database, which is in use. */
  readonly database: string
  /** Folder of the local service. */
  readonly computer: string
  /** Path of the archive; it appears there complete or not at all. */
  readonly to: string
  readonly app: string
  /** Unix milliseconds. */
  readonly at: number
  /** IDs of items, runs and tasks; everything when absent. */
  readonly only?: readonly string[]
  /** Permissions of the file; 0600 when absent. */
  readonly mode?: number
  /** Whether the archive is read again from the disk and checked against its checksums. */
  readonly verify: boolean
}

/** Result of an archive export. */
export interface ArchiveWritten {
  readonly bytes: number
  readonly files: number
  readonly counts: Readonly<Record<string, number>>
  readonly missing: readonly MissingFile[]
}

/** A file that goes into the archive. */
interface Source {
  readonly name: string
  readonly path: string
  /** ID that its content must have. */
  readonly id?: string
}

/** Writes the archive of a library in use. Throws DISK_FULL, CANCELLED, or ArchiveRefused when it cannot be read back. */
export async function exportArchive(
  options: ArchiveExport,
  progress: Progress,
): Promise<ArchiveWritten> {
  const partial = `${options.to}.partial`
  const database = `${options.to}.db`
  const state = `${options.to}.state.db`
  await ownFolder(dirname(options.to))
  const file = await open(partial, 'w+', 0o600)
  try {
    progress.begin('preparing', 0)
    const size = (await sizeOf(options.database)) ?? 0
    await assertFreeSpace(dirname(options.to), size)
    const snapshot = takeSnapshot(options.database, database, options.only)
    const sources: Source[] = [
      { name: databaseName, path: database },
      ...snapshot.media.map(({ id }) => ({
        name: `media/${id}`,
        path: mediaPlace(options.home, id),
        id,
      })),
      ...(await meetingFiles(options.home, snapshot.meetings)),
      ...(options.only || !copyState(join(options.computer, 'state.db'), state)
        ? []
        : [
            { name: 'this-computer/state.db', path: state },
            ...(await localServiceFiles(options.computer)),
          ]),
    ]
    const sizes = await Promise.all(sources.map(({ path }) => sizeOf(path)))
    const total = sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
    await assertFreeSpace(dirname(options.to), total)
    progress.begin('copying', total)
    const { bytes, entries, missing } = await write(file, sources, options, snapshot, progress)
    if (options.verify) {
      progress.begin('checking', bytes)
      await verifyArchive(file, progress)
    }
    // Not every file system has permissions.
    if (options.mode !== undefined) await file.chmod(options.mode).catch(() => undefined)
    await file.sync()
    await moveFile(partial, options.to)
    await syncFolder(dirname(options.to))
    return { bytes, files: entries.length, counts: snapshot.counts, missing }
  } finally {
    await file.close()
    for (const path of [partial, database, state]) await discard(path)
  }
}

async function write(
  file: FileHandle,
  sources: readonly Source[],
  options: ArchiveExport,
  {
    schema,
    counts,
  }: { readonly schema: number; readonly counts: Readonly<Record<string, number>> },
  progress: Progress,
): Promise<{
  readonly bytes: number
  readonly entries: readonly ManifestEntry[]
  readonly missing: readonly MissingFile[]
}> {
  const zip = createZipWriter(file, progress)
  const entries: ManifestEntry[] = []
  const missing: MissingFile[] = []
  for (const { name, path, id } of sources) {
    const from = await openPlain(path)
    if (!from) {
      missing.push({ path: name, why: 'gone' })
      continue
    }
    try {
      const { size } = await from.stat()
      const isIntact = ({ bytes, sha256 }: Sums): boolean =>
        bytes === size && (id === undefined || contentId(sha256) === id)
      const sums = await zip.file(name, from, size, isIntact)
      if (isIntact(sums)) entries.push({ path: name, bytes: sums.bytes, sha256: sums.sha256 })
      else missing.push({ path: name, why: 'damaged' })
    } finally {
      await from.close()
    }
  }
  const manifest = writeManifest({
    format: archiveFormat,
    version: archiveVersion,
    app: options.app,
    schema,
    at: options.at,
    scope: options.only ? 'selection' : 'all',
    entries,
    counts,
    missing,
  })
  await zip.bytes(manifestName, manifest)
  return { bytes: await zip.finish(), entries, missing }
}

/** Opens a regular file: the target of a link does not belong to the library. */
async function openPlain(path: string): Promise<FileHandle | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() ? open(path, 'r') : null
}

async function meetingFiles(home: string, ids: readonly string[]): Promise<Source[]> {
  const all: Source[] = []
  for (const id of ids) all.push(...(await filesIn(join(home, 'meetings', id), `meetings/${id}`)))
  return all
}

/** Returns the uploads of the local service and the documents of its knowledge bases. */
async function localServiceFiles(computer: string): Promise<Source[]> {
  const all: Source[] = []
  for (const name of ['files', 'knowledge'])
    all.push(...(await filesIn(join(computer, name), `this-computer/${name}`)))
  return all
}

/** Returns the files of a folder that an archive may contain, by name. */
async function filesIn(folder: string, prefix: string): Promise<Source[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => ({ name: `${prefix}/${name}`, path: join(folder, name) }))
    .filter(({ name }) => kindOfPath(name) !== null)
}
