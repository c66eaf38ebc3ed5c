import type { FileHandle } from 'node:fs/promises'
import { openArchive, type OpenArchive } from './manifest.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { pump } from '../../../platform/zip/archive-stream.ts'
import { ArchiveRefused } from '../../../platform/zip/archive-errors.ts'

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
