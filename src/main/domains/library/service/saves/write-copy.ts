import { randomBytes } from 'node:crypto'
import { open, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../archive/disk.ts'
import { AppError } from '../../../../errors.ts'
import { moveFile, removal } from '../../../../../system/file-moves.ts'
import { isInside } from '../../../../platform/security/private-files.ts'
import { systemCode } from '../../../../../system/system-code.ts'

/** Destination and options of a copy. */
export interface CopyTarget {
  /** Absolute path chosen by the user. */
  readonly path: string
  /** Permissions of a new file; a replaced file retains its own. */
  readonly mode: number
  /** Data folder; nothing may be saved inside it. */
  readonly home: string
  /** Stops the copy before it gets its final name; the signal's reason is then thrown. */
  readonly signal?: AbortSignal | undefined
  /** Moves the finished file to its final name; defaults to `moveFile`. */
  readonly move?: (from: string, to: string) => Promise<void>
  /** Determines whether file names are case-insensitive; defaults to the current platform. */
  readonly platform?: string
}

/**
 * Writes a file to the location chosen by the user, completely or not at all: `fill` writes it under a temporary name in
 * the same folder, it is flushed, and finally renamed. Throws DISK_FULL, or SAVE_FAILED with the problem: `denied`,
 * `held`, `gone`, `long`, `large`, `inside`.
 */
export async function writeCopy(
  target: CopyTarget,
  fill: (path: string) => Promise<void>,
): Promise<void> {
  let fresh: string | null = null
  try {
    // A symbolic link stays, and its target is replaced.
    const place = await realpath(target.path).catch(() => target.path)
    const folder = await realpath(dirname(place))
    const home = await realpath(target.home).catch(() => target.home)
    if (isInside(home, folder, target.platform)) throw saveFailed('inside')
    const before = await stat(place).catch(() => null)
    if (before && !before.isFile()) throw saveFailed('held')
    fresh = join(folder, `.lectern-${randomBytes(6).toString('hex')}.part`)
    // Detects a folder that denies writing before a long export is prepared.
    await (await open(fresh, 'wx', 0o600)).close()
    await rm(fresh, removal)
    await fill(fresh)
    await settle(fresh, before ? before.mode & 0o777 : target.mode)
    target.signal?.throwIfAborted()
    const move = target.move ?? moveFile
    await move(fresh, place).catch((error: unknown) => {
      // The folder has just accepted a new file, so an error now concerns the existing file.
      const held = before !== null && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error))
      throw held ? saveFailed('held', error) : error
    })
    // The copy is complete, even if the file system cannot flush a folder.
    await syncFolder(folder).catch(() => undefined)
  } catch (error) {
    if (fresh) await rm(fresh, removal).catch(() => undefined)
    throw target.signal?.aborted ? target.signal.reason : asSaveError(error)
  }
}

/** Sets the permissions, where the file system supports them, and flushes the file. */
async function settle(path: string, mode: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(mode).catch(() => undefined)
    await file.sync().catch((error: unknown) => {
      // Some network file systems do not support flushing.
      if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error))) throw error
    })
  } finally {
    await file.close()
  }
}

const problems: Readonly<Record<string, string>> = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  EBUSY: 'held',
  ETXTBSY: 'held',
  ENOENT: 'gone',
  ENOTDIR: 'gone',
  ENODEV: 'gone',
  ENXIO: 'gone',
  ENAMETOOLONG: 'long',
  EFBIG: 'large',
}

const saveFailed = (problem: string, cause?: unknown): AppError =>
  new AppError('SAVE_FAILED', `The copy was not saved: ${problem}`, {
    retriable: true,
    params: { problem },
    cause,
  })

/** Converts file system errors to failures with a message; errors that already have one are unchanged. */
function asSaveError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', 'The disk is full', { retriable: true, cause: error })
  return saveFailed(problems[code] ?? 'unknown', error)
}
