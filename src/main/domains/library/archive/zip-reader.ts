import { open, type FileHandle } from 'node:fs/promises'
import { databaseName, kindOfPath, maxDirectoryBytes, maxEntries } from './layout.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'
import {
  headerBytes,
  localHeader,
  readLocalName,
  readCentralLine,
  readTail,
  tailBytes,
  type ZipItem,
} from '../../../platform/zip/zip-format.ts'

/** File of an archive, with the offset of its bytes. */
export interface ZipEntry extends ZipItem {
  readonly body: number
}

/**
 * Reads the directory of an archive and checks it against every header: names that Lectern writes, each once regardless of case,
 * files one after the other from the first byte to the directory. Reads no file content. Throws {@link ArchiveRefused}.
 */
export async function readDirectory(file: FileHandle): Promise<readonly ZipEntry[]> {
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
export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done)
    if (bytesRead === 0) throw new ArchiveRefused('truncated')
    done += bytesRead
  }
  return buffer
}
