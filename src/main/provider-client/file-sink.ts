import { randomBytes } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { moveFile, removal } from '../../system/file-moves.ts'
import { AppError } from '../errors.ts'

/**
 * A file that is complete or does not exist: data is written to `<to>.<random>.part`, which is renamed at the end.
 */
export interface FileSink {
  /** Path of the data until it is complete. */
  readonly part: string
  /** Bytes accepted so far. */
  readonly bytes: number
  /**
   * Appends a chunk; rejects with DISK_FULL or READ_ONLY. Chunks are written in the order of the calls, awaited or not.
   */
  write(chunk: Uint8Array): Promise<void>
  /** Completes the file: all data is on disk when this resolves. */
  finish(): Promise<void>
  /**
   * Leaves the received data in the part file and returns its path; null when nothing was received, and then nothing is left.
   */
  keep(): Promise<string | null>
  discard(): Promise<void>
}

/** Opens the sink. Throws DISK_FULL, READ_ONLY, or FILE_MISSING when its folder does not exist. */
export async function openSink(to: string): Promise<FileSink> {
  // A unique name that does not exist yet: `<to>.part` may be a user's file or belong to another call.
  const part = `${to}.${randomBytes(6).toString('hex')}.part`
  const handle = await disk(open(part, 'wx'))
  let bytes = 0
  let last: Promise<void> = Promise.resolve()
  const closed = async (): Promise<void> => {
    await last.catch(() => {})
    await handle.close()
  }
  return {
    part,
    get bytes() {
      return bytes
    },
    write(chunk) {
      bytes += chunk.byteLength
      last = last.then(() => disk(writeWhole(handle, chunk)))
      // Reported to the caller that awaits; `finish` checks again.
      last.catch(() => {})
      return last
    },
    async finish() {
      await last
      await disk(handle.sync())
      await handle.close()
      await disk(moveFile(part, to))
    },
    async keep() {
      await closed()
      if (bytes > 0) return part
      await rm(part, removal)
      return null
    },
    async discard() {
      await closed()
      await rm(part, removal)
    },
  }
}

async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.byteLength;)
    written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten
}

/** Maps file system errors to user-facing codes; other errors are passed through. */
async function disk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new AppError('DISK_FULL', 'There is not enough disk space for the file.', {
        cause,
        retriable: true,
      })
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
      throw new AppError('READ_ONLY', 'The file could not be written.', { cause })
    if (code === 'ENOENT')
      throw new AppError('FILE_MISSING', 'The folder of the file does not exist.', { cause })
    throw cause
  }
}
