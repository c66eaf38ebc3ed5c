import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Log } from '../../deps.ts'
import { discard } from '../../../system/file-moves.ts'
import type { MediaFiles } from './files.ts'

/** Imports a newly written file under a name; returns its media ID. */
export async function addGeneratedFile(
  files: Pick<MediaFiles, 'intake'>,
  path: string,
  name: string,
): Promise<string> {
  const { size } = await stat(path)
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
  return (await files.intake(body, name, size)).id
}

/**
 * Runs work with the path of a temporary file in `folder`, which is always removed afterwards; `id` makes the name unique.
 */
export async function withFile<T>(
  folder: string,
  id: string,
  log: Pick<Log, 'warn'>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${id}.tmp`)
  try {
    return await work(path)
  } finally {
    await discard(path, log)
  }
}
