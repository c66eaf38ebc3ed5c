import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { mustHaveRoom, ownFolder } from '../../archive/disk.ts'
import type { ArchivePlaces } from '../../archive/places.ts'
import { AppError } from '../../errors.ts'

/** Streams an archive to the disk, no faster than the disk. Throws DISK_FULL, EMPTY_FILE or CANCELLED; then nothing is left of it. */
export async function receiveArchive(request: Request, places: ArchivePlaces): Promise<number> {
  if (!request.body) throw new AppError('EMPTY_FILE', 'The archive is empty')
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  try {
    await rm(places.in, { recursive: true, force: true })
    await ownFolder(places.in)
    if (Number.isSafeInteger(declared) && declared > 0) await mustHaveRoom(places.in, declared)
    const to = createWriteStream(places.arrived, { flags: 'wx', mode: 0o600 })
    await pipeline(request.body, to, { signal: request.signal })
    if (to.bytesWritten === 0) throw new AppError('EMPTY_FILE', 'The archive is empty')
    if (Number.isSafeInteger(declared) && to.bytesWritten < declared) throw brokenOff()
    return to.bytesWritten
  } catch (error) {
    await rm(places.in, { recursive: true, force: true })
    if (error instanceof AppError) throw error
    throw error instanceof Error && 'code' in error && error.code === 'ENOSPC'
      ? error
      : brokenOff(error)
  }
}

const brokenOff = (cause?: unknown): AppError =>
  new AppError('CANCELLED', 'The archive broke off before its end', { retriable: true, cause })
