import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { removal } from '../../../../../system/file-moves.ts'
import { assertFreeSpace, ownFolder } from '../../archive/disk.ts'
import type { ArchivePlaces } from '../../archive/target-folders.ts'
import { AppError } from '../../../../errors.ts'

/** Number of bytes after which the free space is checked again. */
const inspectedBytes = 8 * 1024 * 1024

/**
 * Streams an archive to the disk with backpressure, and only while there is enough free space, whatever its actual or
 * declared length. Throws DISK_FULL, EMPTY_FILE or CANCELLED, and then leaves nothing behind.
 */
export async function receiveArchive(request: Request, places: ArchivePlaces): Promise<number> {
  if (!request.body) throw new AppError('EMPTY_FILE', 'The archive is empty')
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  try {
    await rm(places.in, removal)
    await ownFolder(places.in)
    if (Number.isSafeInteger(declared) && declared > 0) await assertFreeSpace(places.in, declared)
    const to = createWriteStream(places.arrived, { flags: 'wx', mode: 0o600 })
    await pipeline(request.body, whileThereIsRoom(places.in), to, { signal: request.signal })
    if (to.bytesWritten === 0) throw new AppError('EMPTY_FILE', 'The archive is empty')
    if (Number.isSafeInteger(declared) && to.bytesWritten < declared) throw brokenOff()
    return to.bytesWritten
  } catch (error) {
    await rm(places.in, removal)
    if (error instanceof AppError) throw error
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? error
      : brokenOff(error)
  }
}

/** Passes bytes through until the free space is only what the rest of the work needs; then fails with DISK_FULL. */
function whileThereIsRoom(folder: string): Transform {
  let since = inspectedBytes
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      since += chunk.byteLength
      if (since < inspectedBytes) return done(null, chunk)
      since = 0
      assertFreeSpace(folder, inspectedBytes).then(
        () => done(null, chunk),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
}

const brokenOff = (cause?: unknown): AppError =>
  new AppError('CANCELLED', 'The archive is truncated', { retriable: true, cause })
