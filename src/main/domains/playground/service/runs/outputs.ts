import { createReadStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { RunFile } from '../../../../../shared/model/run.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { systemCode } from '../../../../../system/system-code.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'

/** The path for an output file of a run: in a separate folder, created with the first file. */
export async function outputPath(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, basename(name))
}

/**
 * Imports a run's output files into the library; a partial file (`.part`) under its intended name, an empty one not at all.
 * Imported files stay in the folder. Throws DISK_FULL, READ_ONLY and other errors of the import.
 */
export async function saveOutputs(
  folder: string,
  files: Pick<MediaFiles, 'intake'>,
): Promise<readonly RunFile[]> {
  const taken: RunFile[] = []
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry)
    if ((await stat(path)).size === 0) continue
    const name = entry.replace(/(\.[0-9a-f]{12})?\.part$/, '')
    const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
    taken.push({ name, mediaId: (await files.intake(stream, name)).id })
  }
  return taken
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw fromFileSystem(error)
  }
}
