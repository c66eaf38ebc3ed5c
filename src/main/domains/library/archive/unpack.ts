import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removal } from '../../../../system/file-moves.ts'
import { contentId } from '../../../platform/files/content-id.ts'
import { sessionsFolder } from '../../../platform/audio/session-folder.ts'
import { validateDatabase } from './archive-validate.ts'
import type { Snapshot } from './archive-snapshot.ts'
import { migrateDatabase, migrateState } from './archive-migrate.ts'
import { assertFreeSpace, ownFolder, sizeOf } from './disk.ts'
import { databaseName, kindOfPath, type Manifest } from './layout.ts'
import { openArchive, type OpenArchive } from './manifest.ts'
import { mediaPlace } from './target-folders.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { readEntry } from './verify.ts'

/** Input for unpacking an archive. */
export interface Unpacking {
  readonly home: string
  readonly archive: string
  /** Dedicated folder, emptied first. */
  readonly into: string
}

/** Unpacked archive: every byte is verified and its database has the current schema. */
export interface Unpacked {
  readonly manifest: Manifest
  /** Media that are already in the library and were only compared. */
  readonly known: readonly string[]
}

/** Reads an archive's manifest and database without importing; the database is verified, validated and left in `into`. */
export async function inspectArchive(
  { home, archive, into }: Unpacking,
  progress: Progress,
): Promise<Manifest> {
  await rm(into, removal)
  await ownFolder(into)
  const file = await open(archive, 'r')
  try {
    progress.begin('preparing', 0)
    const opened = await openArchive(file)
    const [database] = opened.entries
    if (!database) throw new ArchiveRefused('foreign')
    await assertNoCaseConflict(home, opened.entries)
    await assertFreeSpace(into, database.bytes)
    progress.begin('checking', database.bytes)
    await unpackDatabase(file, opened, database, into, progress)
    migrateDatabase(join(into, databaseName), databaseName)
    return opened.manifest
  } finally {
    await file.close()
  }
}

/** Unpacks and verifies everything. Throws ArchiveRefused, DISK_FULL or CANCELLED; then only `into` was written to. */
export async function unpack(unpacking: Unpacking, progress: Progress): Promise<Unpacked> {
  const { home, archive, into } = unpacking
  await rm(into, removal)
  await ownFolder(into)
  const file = await open(archive, 'r')
  try {
    progress.begin('preparing', 0)
    const opened = await openArchive(file)
    await assertNoCaseConflict(home, opened.entries)
    const all = opened.entries.reduce((sum, { bytes }) => sum + bytes, 0)
    await assertFreeSpace(into, all)
    progress.begin('copying', all)
    const known: string[] = []
    for (const entry of opened.entries) {
      const kind = kindOfPath(entry.name)
      if (kind === 'database') {
        await unpackDatabase(file, opened, entry, into, progress)
        continue
      }
      const id = entry.name.slice('media/'.length)
      if (kind === 'media' && contentId(entry.sha256) !== id)
        throw new ArchiveRefused('sum', entry.name)
      if (kind === 'media' && (await sizeOf(mediaPlace(home, id))) === entry.bytes) {
        await readEntry(file, entry, progress)
        known.push(id)
      } else await write(file, entry, join(into, entry.name), progress)
    }
    const state = join(into, 'this-computer', 'state.db')
    if ((await sizeOf(state)) !== null) migrateState(state, 'this-computer/state.db')
    const database = join(into, databaseName)
    migrateDatabase(database, databaseName)
    return { manifest: opened.manifest, known }
  } finally {
    await file.close()
  }
}

/**
 * IDs are used as folder names. If one differs from a folder of this library in letter case only, the two would be one folder on
 * Windows and macOS: two meetings would share one recording.
 */
async function assertNoCaseConflict(home: string, entries: OpenArchive['entries']): Promise<void> {
  const here = await readdir(sessionsFolder(home)).catch(() => [])
  const names = new Map(here.map((name) => [name.toLowerCase(), name]))
  for (const { name } of entries) {
    if (kindOfPath(name) !== 'meeting') continue
    const id = name.split('/')[1] ?? ''
    if ((names.get(id.toLowerCase()) ?? id) !== id) throw new ArchiveRefused('case', name)
  }
}

async function unpackDatabase(
  file: FileHandle,
  { manifest, entries }: OpenArchive,
  entry: OpenArchive['entries'][number],
  into: string,
  progress: Progress,
): Promise<void> {
  const path = join(into, databaseName)
  await write(file, entry, path, progress)
  assertAgree(manifest, entries, validateDatabase(path, entry.name))
}

/** Rejects a manifest that differs from the database, omits files, or lists files that nothing references. */
function assertAgree(manifest: Manifest, entries: OpenArchive['entries'], found: Snapshot): void {
  const invalidManifest = (name: string): ArchiveRefused => new ArchiveRefused('manifest', name)
  if (manifest.schema !== found.schema) throw invalidManifest(databaseName)
  const keys = new Set([...Object.keys(manifest.counts), ...Object.keys(found.counts)])
  for (const key of keys)
    if (manifest.counts[key] !== found.counts[key]) throw invalidManifest(databaseName)
  const media = new Set(found.media.map(({ id }) => `media/${id}`))
  const meetings = new Set(found.meetings)
  for (const { name } of entries) {
    const kind = kindOfPath(name)
    if (kind === 'media' && !media.delete(name)) throw invalidManifest(name)
    if (kind === 'meeting' && !meetings.has(name.split('/')[1] ?? '')) throw invalidManifest(name)
  }
  const missing = new Set(manifest.missing.map(({ path }) => path))
  for (const name of media) if (!missing.has(name)) throw invalidManifest(name)
}

async function write(
  file: FileHandle,
  entry: OpenArchive['entries'][number],
  path: string,
  progress: Progress,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const to = await open(path, 'wx', 0o600)
  try {
    await readEntry(file, entry, progress, to)
    await to.sync()
  } finally {
    await to.close()
  }
}
