import { createHash, randomUUID } from 'node:crypto'
import { open, rm, statfs, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { removal } from '../../system/file-moves.ts'
import { sniff, sniffBytes } from './sniff.ts'

/** A completely received file, flushed under a temporary name. */
export interface Received {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  readonly mime: string
}

/** Facts known about a file before it arrives. */
export interface Arrival {
  readonly folder: string
  readonly maxBytes: number
  readonly declaredBytes: number | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Chunk size of hashing. SHA-256 of this many bytes takes about 40 µs (64 KB in 42 µs, 1.5 GB/s), far below a frame, and
 * every chunk is followed by an asynchronous write: so the hash is computed on the main thread while the file arrives,
 * instead of sending each chunk to a worker. Larger chunks are split.
 */
const chunkBytes = 64 * 1024

/**
 * Writes a stream to disk and hashes it on arrival, no faster than the disk. Throws EMPTY_FILE, FILE_TOO_LARGE, DISK_FULL,
 * CANCELLED (aborted, or ended before its declared length); then nothing of it remains.
 */
export async function receive(
  stream: ReadableStream<Uint8Array> | null,
  arrival: Arrival,
): Promise<Received> {
  if (!stream) throw empty()
  try {
    await checkRoom(arrival)
    const path = join(arrival.folder, randomUUID())
    try {
      return await receiveInto(path, stream, arrival)
    } catch (error) {
      await rm(path, removal)
      throw error
    }
  } catch (error) {
    // Stops the sender: the file may have gigabytes.
    await stream.cancel(error).catch(() => undefined)
    throw error
  }
}

async function receiveInto(
  path: string,
  stream: ReadableStream<Uint8Array>,
  arrival: Arrival,
): Promise<Received> {
  const file = await open(path, 'wx', 0o600)
  const reader = stream.getReader()
  try {
    const hash = createHash('sha256')
    const head: Uint8Array[] = []
    let bytes = 0
    for (let next = await read(reader, arrival); next; next = await read(reader, arrival)) {
      for (let at = 0; at < next.length; at += chunkBytes) {
        const chunk = next.subarray(at, at + chunkBytes)
        if (bytes < sniffBytes) head.push(chunk.slice(0, sniffBytes - bytes))
        bytes += chunk.length
        if (bytes > arrival.maxBytes) throw tooLarge(bytes, arrival.maxBytes)
        hash.update(chunk)
        await writeAll(file, chunk)
      }
    }
    if (bytes === 0) throw empty()
    if (arrival.declaredBytes !== undefined && bytes < arrival.declaredBytes) throw brokenOff()
    await file.sync()
    return { path, sha256: hash.digest('hex'), bytes, mime: sniff(Buffer.concat(head), bytes) }
  } finally {
    reader.releaseLock()
    await file.close()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function read(reader: Reader, { signal }: Arrival): Promise<Uint8Array | null> {
  if (signal?.aborted) throw brokenOff()
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const { done, value } = await reader.read()
    if (signal?.aborted) throw brokenOff()
    return done ? null : value
  } catch (error) {
    // Whatever ended the stream early, the file is incomplete.
    throw error instanceof AppError ? error : brokenOff(error)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at)
    at += bytesWritten
  }
}

/** Refuses a file that cannot fit immediately, instead of after gigabytes. */
async function checkRoom({ folder, declaredBytes, maxBytes }: Arrival): Promise<void> {
  if (declaredBytes === undefined) return
  if (declaredBytes > maxBytes) throw tooLarge(declaredBytes, maxBytes)
  const disk = await statfs(folder).catch(() => null)
  if (disk && declaredBytes > disk.bavail * disk.bsize)
    throw new AppError('DISK_FULL', 'There is not enough disk space for this file', {
      retriable: true,
      params: { bytes: declaredBytes, free: disk.bavail * disk.bsize },
    })
}

const empty = (): AppError => new AppError('EMPTY_FILE', 'The file is empty')

const tooLarge = (value: number, limit: number): AppError =>
  new AppError('FILE_TOO_LARGE', 'The file exceeds the size limit of the Library', {
    params: { value, limit },
  })

const brokenOff = (cause?: unknown): AppError =>
  new AppError('CANCELLED', 'The file is truncated', { retriable: true, cause })
