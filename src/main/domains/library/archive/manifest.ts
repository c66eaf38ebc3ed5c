import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import {
  archiveFormat,
  archiveVersion,
  databaseName,
  kindOfPath,
  manifestName,
  maxManifestBytes,
  type Manifest,
  type ManifestEntry,
} from './layout.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import { readAt, readDirectory, type ZipEntry } from './zip-reader.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { pump } from '../../../platform/zip/archive-stream.ts'

/** Archive whose directory and manifest match; contents are not checked yet. */
export interface OpenArchive {
  readonly manifest: Manifest
  /** Entries except the manifest, each with the checksum its content must have. */
  readonly entries: readonly (ZipEntry & { readonly sha256: string })[]
}

/** Reads the directory and the manifest. Throws {@link ArchiveRefused}. */
export async function openArchive(file: FileHandle): Promise<OpenArchive> {
  const directory = await readDirectory(file)
  const last = directory.at(-1)
  if (last?.name !== manifestName || directory[0]?.name !== databaseName)
    throw new ArchiveRefused('foreign')
  if (last.bytes > maxManifestBytes) throw new ArchiveRefused('bomb', manifestName)
  const text = await readAt(file, last.body, last.bytes)
  if (crc32(text) !== last.crc) throw new ArchiveRefused('sum', manifestName)
  const manifest = readManifest(text)
  const rest = directory.slice(0, -1)
  if (rest.length !== manifest.entries.length) throw new ArchiveRefused('manifest', manifestName)
  const entries = rest.map((entry, n) => {
    const listed = manifest.entries[n]
    if (listed?.path !== entry.name || listed.bytes !== entry.bytes)
      throw new ArchiveRefused('manifest', entry.name)
    return { ...entry, sha256: listed.sha256 }
  })
  return { manifest, entries }
}

/** Returns the manifest as bytes. */
export const writeManifest = (manifest: Manifest): Buffer =>
  Buffer.from(JSON.stringify(manifest), 'utf8')

/** Returns a short digest of an archive's content: the same manifest has the same digest. */
export const archiveDigest = (manifest: Manifest): string =>
  createHash('sha256').update(writeManifest(manifest)).digest('hex').slice(0, 32)

function readManifest(text: Buffer): Manifest {
  const fields = object(parse(text))
  if (fields['format'] !== archiveFormat) throw new ArchiveRefused('foreign', manifestName)
  const version = fields['version']
  if (version !== archiveVersion)
    throw new ArchiveRefused(typeof version === 'number' ? 'newer' : 'manifest', manifestName)
  const { scope } = fields
  if (scope !== 'all' && scope !== 'selection') throw invalidManifest()
  return {
    format: archiveFormat,
    version,
    scope,
    app: shortText(fields['app'], 40),
    schema: count(fields['schema']),
    at: count(fields['at']),
    entries: list(fields['entries']).map(entryOf),
    counts: Object.fromEntries(
      Object.entries(object(fields['counts'])).map(([name, n]) => [shortText(name, 40), count(n)]),
    ),
    missing: list(fields['missing']).map((one) => {
      const { path, why } = object(one)
      return { path: shortText(path, 200), why: why === 'damaged' ? 'damaged' : 'gone' }
    }),
  }
}

function entryOf(value: unknown): ManifestEntry {
  const { path, bytes, sha256 } = object(value)
  const name = shortText(path, 200)
  if (kindOfPath(name) === null || name === manifestName) throw new ArchiveRefused('path', name)
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) throw invalidManifest()
  return { path: name, bytes: count(bytes), sha256 }
}

const invalidManifest = (): ArchiveRefused => new ArchiveRefused('manifest', manifestName)

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch (error) {
    throw new ArchiveRefused('manifest', manifestName, error)
  }
}
function object(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidManifest()
  return value as Readonly<Record<string, unknown>>
}
function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidManifest()
  return value
}
function shortText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string' || value.length > maxLength) throw invalidManifest()
  return value
}
function count(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidManifest()
  return value
}

/** Reads one entry of an archive and writes it to `to` if given. Throws ArchiveRefused if a checksum does not match. */
export async function readEntry(
  file: FileHandle,
  entry: OpenArchive['entries'][number],
  progress: Progress,
  to?: FileHandle,
): Promise<void> {
  const sums = await pump({
    from: file,
    at: entry.body,
    length: entry.bytes,
    to: to && { file: to, at: 0 },
    progress,
  })
  if (sums.bytes !== entry.bytes) throw new ArchiveRefused('truncated', entry.name)
  if (sums.sha256 !== entry.sha256 || sums.crc !== entry.crc)
    throw new ArchiveRefused('sum', entry.name)
}

/** Reads a whole archive and checks every entry against its checksums. */
export async function verifyArchive(file: FileHandle, progress: Progress): Promise<OpenArchive> {
  const archive = await openArchive(file)
  for (const entry of archive.entries) await readEntry(file, entry, progress)
  return archive
}
