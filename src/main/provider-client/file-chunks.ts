import { open, type FileHandle } from 'node:fs/promises'
import { AppError } from '../errors.ts'

/** A file to send, read from disk while it is sent. */
export interface FormFile {
  readonly path: string
  /** Its size on disk; a file with another size when opened is rejected. */
  readonly bytes: number
  /** File name sent to the provider. */
  readonly name: string
  readonly mime: string
}

/**
 * Bytes read from disk at a time: enough for speed, few enough that memory does not depend on the file's size, and a multiple
 * of three, so that the base64 of the chunks joins without padding.
 */
const chunkBytes = 192 * 1024

/**
 * Reads the file in chunks. Throws FILE_MISSING when it cannot be opened and DAMAGED_FILE when its size changed.
 */
export function fileChunks(file: FormFile): AsyncIterable<Uint8Array> {
  // A new buffer each time: the previous one may still be queued in the socket.
  return readChunks(file, (bytes) => Buffer.allocUnsafeSlow(bytes))
}

/**
 * Reads the file as base64 in chunks that join to one text of length {@link base64Length}. Throws like {@link fileChunks}.
 */
export async function* base64Chunks(file: FormFile): AsyncIterable<Uint8Array> {
  // One buffer is reused: the socket's queue contains the encoded copy.
  const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(1, file.bytes)))
  for await (const chunk of readChunks(file, (bytes) => buffer.subarray(0, bytes)))
    yield Buffer.from(chunk.toString('base64'), 'latin1')
}

/** Returns the number of base64 characters for a number of bytes, padding included. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/** Yields chunks of {@link chunkBytes}, each completely filled; only the last is shorter. */
async function* readChunks(
  file: FormFile,
  bufferOf: (bytes: number) => Buffer,
): AsyncIterable<Buffer> {
  const handle = await opened(file)
  try {
    if ((await handle.stat()).size !== file.bytes) throw changed(file)
    for (let position = 0; position < file.bytes;) {
      const buffer = bufferOf(Math.min(chunkBytes, file.bytes - position))
      await fill(handle, buffer, position, file)
      position += buffer.length
      yield buffer
    }
  } finally {
    await handle.close()
  }
}

/** Reads until the buffer is full: one read may return less than requested. */
async function fill(
  handle: FileHandle,
  buffer: Buffer,
  position: number,
  file: FormFile,
): Promise<void> {
  for (let filled = 0; filled < buffer.length;) {
    const { bytesRead } = await handle.read(
      buffer,
      filled,
      buffer.length - filled,
      position + filled,
    )
    if (bytesRead === 0) throw changed(file)
    filled += bytesRead
  }
}

async function opened(file: FormFile): Promise<FileHandle> {
  try {
    return await open(file.path, 'r')
  } catch {
    throw new AppError('FILE_MISSING', 'The file to send cannot be opened.', {
      params: { name: file.name },
    })
  }
}

function changed(file: FormFile): AppError {
  return new AppError('DAMAGED_FILE', 'The file changed while it was sent.', {
    params: { name: file.name },
  })
}
