import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Reply } from '../../../shared/contract/reply.ts'
import {
  intakeNameHeader,
  type IntakeReply,
  type FileTarget,
  uploadPaths,
} from '../../../shared/contract/transport.ts'
import type { Clock, Log } from '../../deps.ts'
import { toFailure, AppError } from '../../errors.ts'
import type { MediaFiles } from '../files/files.ts'
import { redactFailure } from './router.ts'

interface IntakeDeps {
  readonly files: MediaFiles
  readonly clock: Clock
  readonly log: Log
  redact(text: string): string
}

/**
 * Handles `PUT /intake`, the only entry for files: streams the body to disk and replies with an {@link IntakeReply}
 * envelope.
 */
export function createIntake({ files, clock, log, redact }: IntakeDeps) {
  const take = async (request: Request): Promise<Reply<IntakeReply>> => {
    try {
      const name = decodeName(request.headers.get(intakeNameHeader) ?? '')
      const length = Number(request.headers.get('content-length') ?? Number.NaN)
      const declared = Number.isSafeInteger(length) && length >= 0 ? length : undefined
      const media = await files.intake(request.body, name, declared, request.signal, 'imported')
      return { ok: true, data: { media } }
    } catch (error) {
      const failure = toFailure(error, clock())
      if (failure.code === 'INTERNAL') log.error('import failed', { error })
      return { ok: false, error: redactFailure(failure, redact) }
    }
  }
  return async (request: Request): Promise<Response> =>
    Response.json(await take(request), {
      headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    })
}

/**
 * Decodes the original name of a file from its percent-encoded header; a malformed header loses the name, not the file.
 */
export function decodeName(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return ''
  }
}

/** Bytes read from disk at a time. */
const chunkBytes = 1024 * 1024

/** File being uploaded. */
export interface IncomingFile {
  readonly target: FileTarget
  readonly name: string
  /** Declared size in bytes. */
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Opens a file on disk. Throws FILE_UNREADABLE if it is not a file or cannot be read. */
export async function fileOnDisk(target: FileTarget, path: string): Promise<IncomingFile> {
  const name = basename(path)
  try {
    // Checked before it is opened: opening a pipe waits for its writer.
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

/** Opens the file at the first read, so that an unused file is not kept open. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>
}

/** Uploads a file with the app's own handler, like `PUT /intake` from a page; `onBytes` receives the bytes read so far. */
export async function putFile<T>(
  fetch: (request: Request) => Promise<Response>,
  { target, name, size, body }: IncomingFile,
  watch: { readonly signal?: AbortSignal; onBytes?(bytes: number): void } = {},
): Promise<Reply<T>> {
  const request = new Request(`http://app.invalid${uploadPaths[target]}`, {
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

/** Imports a file into the library by its path; never rejects. */
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
