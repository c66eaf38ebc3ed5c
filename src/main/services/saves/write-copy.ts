import { randomBytes } from 'node:crypto'
import { open, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../archive/disk.ts'
import { AppError } from '../../errors.ts'
import { moveFile, removal } from '../../../system/file-moves.ts'
import { isInside } from '../../security/private-files.ts'
import { systemCode } from '../../../system/system-code.ts'

/** Where a copy is written, and how. */
export interface CopyTarget {
  /** Absolute; the user chose it. */
  readonly path: string
  /** Permissions of a new file; one that is replaced keeps its own. */
  readonly mode: number
  /** The data folder: nothing is saved into it. */
  readonly home: string
  /** Stops the copy until it has its name; it throws the signal's reason then. */
  readonly signal?: AbortSignal | undefined
  /** Gives the finished file its name; `moveFile` when absent. */
  readonly move?: (from: string, to: string) => Promise<void>
  /** Says whether names that differ in case alone are the same; this system when absent. */
  readonly platform?: string
}

/**
 * Puts a file where the user wants it, whole or not at all: `fill` writes it under a name of its own in the same folder, it is flushed,
 * and takes its name last. Throws DISK_FULL, or SAVE_FAILED with the problem: `denied`, `held`, `gone`, `long`, `large`, `inside`.
 */
export async function writeCopy(
  target: CopyTarget,
  fill: (path: string) => Promise<void>,
): Promise<void> {
  let fresh: string | null = null
  try {
    // A link keeps its place, and what it points to is replaced.
    const place = await realpath(target.path).catch(() => target.path)
    const folder = await realpath(dirname(place))
    const home = await realpath(target.home).catch(() => target.home)
    if (isInside(home, folder, target.platform)) throw saveFailed('inside')
    const before = await stat(place).catch(() => null)
    if (before && !before.isFile()) throw saveFailed('held')
    fresh = join(folder, `.lectern-${randomBytes(6).toString('hex')}.part`)
    // A folder that refuses is known before a long export is prepared.
    await (await open(fresh, 'wx', 0o600)).close()
    await rm(fresh, removal)
    await fill(fresh)
    await settle(fresh, before ? before.mode & 0o777 : target.mode)
    target.signal?.throwIfAborted()
    const move = target.move ?? moveFile
    await move(fresh, place).catch((error: unknown) => {
      // The folder has just taken a new file: a refusal now means the file that stands there.
      const held = before !== null && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error))
      throw held ? saveFailed('held', error) : error
    })
    // The copy is complete: a file system that cannot flush a folder does not undo it.
    await syncFolder(folder).catch(() => undefined)
  } catch (error) {
    if (fresh) await rm(fresh, removal).catch(() => undefined)
    throw target.signal?.aborted ? target.signal.reason : asSaveError(error)
  }
}

/** Permissions, where the file system has them, and the flush. */
async function settle(path: string, mode: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.chmod(mode).catch(() => undefined)
    await file.sync().catch((error: unknown) => {
      // Some network file systems know no flush.
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

/** What the file system threw, as a failure with words; failures that have words already stay. */
function asSaveError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = systemCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', 'The disk is full', { retriable: true, cause: error })
  return saveFailed(problems[code] ?? 'unknown', error)
}
