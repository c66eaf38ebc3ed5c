import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { moveFile, removal } from '../../system/file-moves.ts'
import { AppError } from '../errors.ts'

/** A file that exists whole or not at all: what comes goes into `<to>.<random>.part`, which takes the name in the end. */
export interface FileSink {
  /** Where what comes is written until it is whole. */
  readonly part: string
  /** Bytes taken so far. */
  readonly bytes: number
  /** Appends; rejects with DISK_FULL or READ_ONLY. Pieces are written in the order of the calls, awaited or not. */
  write(chunk: Uint8Array): Promise<void>
  /** Makes the file whole: everything is on the disk when this resolves. */
  finish(): Promise<void>
  /** Leaves what came in the part file and gives its path; null when nothing came, and then nothing is left. */
  keep(): Promise<string | null>
  /** Leaves nothing. */
  discard(): Promise<void>
}

/** Starts the file. Throws DISK_FULL, READ_ONLY, or FILE_MISSING when its folder does not exist. */
export async function openSink(to: string): Promise<FileSink> {
  // A name of its own, and only where nothing is: `<to>.part` may be somebody's file, or another call's.
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
      // Told to whoever awaits; the end asks again.
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

/** What the file system threw, in the codes people are told; anything else comes as it is. */
async function disk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new AppError('DISK_FULL', 'There is no room for the file.', { cause, retriable: true })
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
      throw new AppError('READ_ONLY', 'The file cannot be written.', { cause })
    if (code === 'ENOENT')
      throw new AppError('FILE_MISSING', 'The folder of the file does not exist.', { cause })
    throw cause
  }
}
