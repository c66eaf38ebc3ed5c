import { mkdir, open, stat, statfs } from 'node:fs/promises'
import { AppError } from '../../../errors.ts'

/** Bytes that stay free for other files that are written in the meantime. */
const reserve = 64 * 1024 * 1024

/** Throws DISK_FULL, with both numbers, if `bytes` more do not fit. */
export async function assertFreeSpace(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder).catch(() => null)
  const free = disk ? disk.bavail * disk.bsize : Number.MAX_SAFE_INTEGER
  if (bytes + reserve > free)
    throw new AppError('DISK_FULL', 'There is not enough disk space for the archive', {
      retriable: true,
      params: { problem: 'room', bytes: bytes + reserve, free },
    })
}

/** Creates a folder that only its owner can read. */
export const ownFolder = (path: string): Promise<unknown> =>
  mkdir(path, { recursive: true, mode: 0o700 })

/** Flushes a folder so that a new name in it survives a power failure. Windows has no folder handles. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Returns the size of a file in bytes, or null if there is none. */
export const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  )

/** Returns when a file was last written (Unix ms); for a missing file, the current time. */
export const changedAt = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.MAX_SAFE_INTEGER,
  )
