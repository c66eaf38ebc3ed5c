import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../errors.ts'

/** A file to send, read from disk while it is sent. */
export interface FormFile {
  readonly path: string
  /** Its size on disk; a file that differs when it is opened is refused. */
  readonly bytes: number
  /** The name the service sees. */
  readonly name: string
  readonly mime: string
}

/**
 * Bytes read from disk at a time: large enough for speed, small enough that memory does not follow the file's size, and a
 * multiple of three, so that base64 of each piece joins without padding.
 */
const chunkBytes = 192 * 1024

/** The file in pieces. Throws FILE_MISSING when it cannot be opened and DAMAGED_FILE when its size changed. */
export function fileChunks(file: FormFile): AsyncIterable<Uint8Array> {
  // A fresh buffer each time: the one before may still wait in the socket.
  return readChunks(file, (bytes) => Buffer.allocUnsafeSlow(bytes))
}

/** The file as base64 in pieces that join to one text; its length is {@link base64Length}. Throws as {@link fileChunks}. */
export async function* base64Chunks(file: FormFile): AsyncIterable<Uint8Array> {
  // Read into one buffer: what waits in the socket is the encoded copy.
  const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(1, file.bytes)))
  for await (const chunk of readChunks(file, (bytes) => buffer.subarray(0, bytes)))
    yield Buffer.from(chunk.toString('base64'), 'latin1')
}

/** Characters of so many bytes in base64, padding included. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/** Pieces of {@link chunkBytes}, each filled whole; only the last is shorter. */
async function* readChunks(file: FormFile, bufferOf: (bytes: number) => Buffer): AsyncIterable<Buffer> {
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

/** Reads until the buffer is full: one read may bring less than was asked for. */
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
