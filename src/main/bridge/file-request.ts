import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileTarget } from '../../shared/bridge/port.ts'
import type { Reply } from '../../shared/bridge/reply.ts'
import {
  archivePath,
  intakeNameHeader,
  intakePath,
  selfTestIntakePath,
  type IntakeReply,
} from '../../shared/bridge/transport.ts'
import type { Clock } from '../deps.ts'
import { AppError, toFailure } from '../errors.ts'

const paths: Readonly<Record<FileTarget, string>> = {
  intake: intakePath,
  archive: archivePath,
  'self-test': selfTestIntakePath,
}
/** Bytes read from disk at a time. */
const chunkBytes = 1024 * 1024

/** A file on its way in. */
export interface IncomingFile {
  readonly target: FileTarget
  readonly name: string
  /** Bytes it is said to have. */
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Opens a file on disk. Throws FILE_UNREADABLE for what is no file, or cannot be read. */
export async function fileOnDisk(target: FileTarget, path: string): Promise<IncomingFile> {
  const name = basename(path)
  try {
    // Asked before it is opened: opening a pipe waits for its writer.
    const found = await stat(path)
    if (found.isFile()) {
      await (await open(path, 'r')).close()
      return { target, name, size: found.size, body: readChunks(path) }
    }
  } catch (error) {
    throw new AppError('FILE_UNREADABLE', `${name} cannot be read`, { cause: error })
  }
  throw new AppError('FILE_UNREADABLE', `${name} is not a file`)
}

/** Opened by the first read, so that a file nobody reads is not held open. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>
}

/** Puts a file in by the app's own handler, the same way as `PUT /intake` from a page; `onBytes` is told how many bytes were read so far. */
export async function putFile<T>(
  fetch: (request: Request) => Promise<Response>,
  { target, name, size, body }: IncomingFile,
  watch: { readonly signal?: AbortSignal; onBytes?(bytes: number): void } = {},
): Promise<Reply<T>> {
  const request = new Request(`http://app.invalid${paths[target]}`, {
    method: 'PUT',
    headers: {
      [intakeNameHeader]: encodeURIComponent(name.toWellFormed()),
      'content-length': String(size),
    },
    body: ReadableStream.from(counted(body, watch.onBytes)),
    duplex: 'half',
    ...(watch.signal && { signal: watch.signal }),
  })
  return (await (await fetch(request)).json()) as Reply<T>
}

/** Takes a file into the library by its path; never rejects. */
export async function loadFromDisk(
  fetch: (request: Request) => Promise<Response>,
  path: string,
  clock: Clock,
): Promise<Reply<IntakeReply>> {
  try {
    return await putFile(fetch, await fileOnDisk('intake', path))
  } catch (error) {
    return { ok: false, error: toFailure(error, clock()) }
  }
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    onBytes?.(bytes)
    yield chunk
  }
}
