import { type FileHandle, open } from 'node:fs/promises'
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
  maxDirectoryBytes,
  maxEntries,
} from './layout.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { pump } from '../../../platform/zip/archive-stream.ts'
import {
  headerBytes,
  localHeader,
  readLocalName,
  readCentralLine,
  readTail,
  tailBytes,
  type ZipItem,
} from '../../../platform/zip/zip-format.ts'

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

/** File of an archive, with the offset of its bytes. */
interface ZipEntry extends ZipItem {
  readonly body: number
}

/**
 * Reads the directory of an archive and checks it against every header: names that Lectern writes, each once regardless of case,
 * files one after the other from the first byte to the directory. Reads no file content. Throws {@link ArchiveRefused}.
 */
async function readDirectory(file: FileHandle): Promise<readonly ZipEntry[]> {
  const { size } = await file.stat()
  await assertZip(file, size)
  const end = await readAt(file, size - tailBytes, tailBytes)
  const { entries, length, at } = readTail(end, size)
  if (entries > maxEntries || length > maxDirectoryBytes) throw new ArchiveRefused('bomb')
  const directory = await readAt(file, at, length)
  const found: ZipEntry[] = []
  const seen = new Set<string>()
  let place = 0
  let next = 0
  while (place < length) {
    const line = readCentralLine(directory, place)
    const { item } = line
    assertPath(item.name)
    const folded = item.name.normalize('NFC').toLowerCase()
    if (seen.has(folded)) throw new ArchiveRefused('twice', item.name)
    seen.add(folded)
    // One after the other: no two files share bytes, and there are no unused bytes between them.
    if (item.at !== next) throw new ArchiveRefused('overlap', item.name)
    const body = item.at + headerBytes(Buffer.from(item.name, 'utf8'))
    next = body + item.bytes
    if (next > at) throw new ArchiveRefused('overlap', item.name)
    found.push({ ...item, body })
    place = line.next
  }
  if (next !== at) throw new ArchiveRefused('overlap')
  if (found.length !== entries) throw new ArchiveRefused('damaged')
  for (const entry of found) await assertHeader(file, entry)
  return found
}

/** Whether a file begins like a Lectern archive, which no other ZIP does by accident; the rest is validated when it is read. */
export async function isArchive(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(64)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return readLocalName(head.subarray(0, bytesRead)) === databaseName
  } finally {
    await file.close()
  }
}

/** Distinguishes names that lead outside from names that are merely unknown. */
function assertPath(name: string): void {
  if (kindOfPath(name) === null) throw new ArchiveRefused('path', name)
}

async function assertZip(file: FileHandle, size: number): Promise<void> {
  const head = await readAt(file, 0, Math.min(4, size))
  const begins = head.length === 4 && head.readUInt32LE(0) === 0x04034b50
  if (!begins) throw new ArchiveRefused('foreign')
  if (size < tailBytes) throw new ArchiveRefused('truncated')
}

/** Checks that the header of the file matches its directory entry byte for byte. */
async function assertHeader(file: FileHandle, entry: ZipEntry): Promise<void> {
  const wanted = localHeader(entry)
  const found = await readAt(file, entry.at, wanted.length)
  if (!found.equals(wanted)) throw new ArchiveRefused('damaged', entry.name)
}

/** Reads a whole range. A file that ends earlier is truncated. */
async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done)
    if (bytesRead === 0) throw new ArchiveRefused('truncated')
    done += bytesRead
  }
  return buffer
}
